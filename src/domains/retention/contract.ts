import { defineEndpoints, Instant, nullable, t, type Static } from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { RETENTION_DAYS_MAX, retentionRules } from './values.ts'

const FOR_EVER = 'Null: kept for ever.'

const { events, call_transcripts, enrolment_traces } = retentionRules
const { workflow_runs, webhook_deliveries, inbound_events, mails, notifications, model_responses } =
  retentionRules

const kinds = {
  events: nullable(
    days(
      events,
      `Audit log entries and other events, unless they are about a record that still exists. ${FOR_EVER}`,
    ),
  ),
  workflow_runs: days(workflow_runs, 'Workflow runs with their traces, from when they ended'),
  webhook_deliveries: days(webhook_deliveries, 'Outgoing webhooks with their attempts, unless pending'),
  inbound_events: days(inbound_events, 'The webhook inbox; a repeat that arrives later counts as new'),
  call_transcripts: nullable(days(call_transcripts, `Transcripts of calls; the calls stay. ${FOR_EVER}`)),
  enrolment_traces: nullable(
    days(enrolment_traces, `Why each step of an ended enrolment was taken or skipped. ${FOR_EVER}`),
  ),
  mails: days(mails, 'Emails to team members, guests and customers, such as invitations and invoices'),
  notifications: days(notifications, 'Notifications of team members'),
  model_responses: days(model_responses, 'Response times and token counts of voice models'),
}

export const Retention = t.Object({ ...kinds, updated_at: Instant })
export type Retention = Static<typeof Retention>

const RetentionChange = t.Partial(t.Object(kinds), { additionalProperties: false })
export type RetentionChange = Static<typeof RetentionChange>

export const endpoints = defineEndpoints({
  readRetention: {
    method: 'GET',
    path: '/api/team/retention',
    summary: 'Read how many days data is kept',
    auth: { role: 'ADMIN' },
    output: Retention,
    etag: true,
  },
  changeRetention: {
    method: 'PATCH',
    path: '/api/team/retention',
    summary: 'Update how many days data is kept; older data is removed within about an hour',
    auth: { role: 'ADMIN' },
    body: RetentionChange,
    output: Retention,
    etag: true,
  },
})

export const retentionChanged = defineEvent(
  'retention.changed',
  t.Object({ before: t.Record(t.String(), t.Unknown()), after: t.Record(t.String(), t.Unknown()) }),
)

function days({ daysMin }: { daysMin: number }, description: string) {
  return t.Integer({ minimum: daysMin, maximum: RETENTION_DAYS_MAX, description })
}
