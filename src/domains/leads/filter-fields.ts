import { sql } from 'kysely'
import { countedEvents } from '#platform/event-log.ts'
import {
  customFilterFields,
  ownFilterFields,
  type Filterable,
  type FilterActivity,
} from '#platform/filters/fields.ts'
import type { Account } from '#domains/accounts/contract.ts'
import { fieldsOfAccount } from '#domains/accounts/filter-fields.ts'
import type { Lead, LeadSettings } from './contract.ts'
import { callStatuses, leadStatuses } from './values.ts'

/** A lead together with what its filters look at beside it. */
export type FilteredLead = Lead & { account?: Account }

/** Everything that leads can be filtered by, with the fields and stages of this team. */
export function filterableLeads(settings: LeadSettings): Filterable<FilteredLead> {
  return {
    fields: [
      ...ownFilterFields<FilteredLead>('leads', [
        { name: 'first_name', label: 'First name', type: 'text' },
        { name: 'last_name', label: 'Last name', type: 'text' },
        { name: 'email', label: 'Email', type: 'text', lowered: 'email_key' },
        { name: 'phone', label: 'Phone', type: 'text' },
        { name: 'company', label: 'Company', type: 'text', lowered: 'company_key' },
        { name: 'title', label: 'Job title', type: 'text' },
        { name: 'website', label: 'Website', type: 'text' },
        { name: 'timezone', label: 'Time zone', type: 'text' },
        { name: 'source', label: 'Source', type: 'text' },
        { name: 'status', label: 'Status', type: 'choice', options: leadStatuses },
        { name: 'call_status', label: 'Call status', type: 'choice', options: callStatuses },
        { name: 'pipeline_stage', label: 'Stage', type: 'choice', options: settings.pipeline_stages },
        { name: 'owner_id', label: 'Owner', type: 'record', of: 'member' },
        { name: 'account_id', label: 'Account', type: 'record', of: 'account' },
        { name: 'last_activity_at', label: 'Last activity', type: 'time' },
        { name: 'created_at', label: 'Created', type: 'time' },
        { name: 'updated_at', label: 'Updated', type: 'time' },
      ]),
      ...utmKeys.map(key => ({
        name: `utm.${key}`,
        label: `UTM ${key}`,
        type: 'text' as const,
        column: sql`(leads.utm ->> ${key}::text)`,
        valueIn: ({ utm }: Lead) => utm[key] ?? null,
      })),
      ...fieldsOfAccount<FilteredLead>('leads', ({ account }) => account),
      ...customFilterFields<FilteredLead>('leads', settings.custom_fields),
    ],
    activities,
  }
}

const utmKeys = ['source', 'medium', 'campaign', 'term', 'content']

const activities: FilterActivity[] = (
  [
    ['email.sent', 'Emails sent'],
    ['email.opened', 'Emails opened'],
    ['email.clicked', 'Links clicked'],
    ['email.replied', 'Emails answered'],
    ['email.bounced', 'Emails bounced'],
    ['sms.sent', 'Text messages sent'],
    ['sms.replied', 'Text messages answered'],
    ['conversation.received', 'Messages received'],
    ['call.connected', 'Calls connected'],
    ['meeting.booked', 'Meetings booked'],
    ['form.submitted', 'Forms submitted'],
    ['lead.noted', 'Notes'],
  ] as const
).map(([name, label]) => ({
  name,
  label,
  count: (_, span, limit) => countedEvents(name, sql.table('leads'), span, limit),
}))
