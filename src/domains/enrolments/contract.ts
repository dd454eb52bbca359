import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { SequenceName, Warning } from '#domains/sequences/contract.ts'
import { stepTypes } from '#domains/sequences/values.ts'
import { decisions, ENROL_MAX, holds, outreachStatuses, stopReasons } from './values.ts'

const scope = { scope: 'outreach:write' } as const

/** A lead on its way through a sequence. */
export const Enrolment = t.Object(
  {
    id: Id,
    lead_id: Id,
    sequence_id: Id,
    version: t.Integer(),
    status: oneOf(outreachStatuses),
    step_index: t.Integer({ description: 'The next or current step, starting at 0' }),
    next_step_at: nullable(Instant),
    held: nullable(oneOf(holds)),
    stop_reason: nullable(oneOf(stopReasons)),
    paused_at: nullable(Instant),
    enrolled_by: nullable(t.String()),
    started_at: nullable(Instant),
    sent_at: nullable(Instant),
    opened_at: nullable(Instant),
    clicked_at: nullable(Instant),
    replied_at: nullable(Instant),
    booked_at: nullable(Instant),
    converted_at: nullable(Instant),
    ended_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Enrolment' },
)
export type Enrolment = Static<typeof Enrolment>

export const TraceEntry = t.Object(
  {
    id: Id,
    enrolment_id: Id,
    lead_id: Id,
    sequence_id: Id,
    step_index: t.Integer(),
    decision: oneOf(decisions),
    reason: t.String({ description: 'Reason, in plain words' }),
    message_id: nullable(Id),
    until: nullable(Instant),
    at: Instant,
  },
  { $id: 'TraceEntry' },
)
export type TraceEntry = Static<typeof TraceEntry>

export const Icebreaker = t.Object(
  {
    enrolment_id: Id,
    step_index: t.Integer(),
    text: t.String(),
    prompt: t.String(),
    model: t.String(),
    tokens_in: t.Integer(),
    tokens_out: t.Integer(),
    fell_back: nullable(t.String({ description: "Why the model's text was not used" })),
    reviewed_by: nullable(t.String()),
    reviewed_at: nullable(Instant),
    created_at: Instant,
  },
  { $id: 'Icebreaker' },
)
export type Icebreaker = Static<typeof Icebreaker>

const LeadIds = t.Object(
  {
    lead_ids: t.Array(Id, { minItems: 1, maxItems: ENROL_MAX, uniqueItems: true }),
    again: t.Optional(t.Boolean({ description: 'Include leads that were in this sequence before' })),
  },
  { additionalProperties: false },
)
export type LeadIds = Static<typeof LeadIds>

/** Who would be enrolled and who not, and what the mails would lack. Each list holds ids of leads. */
export const EnrolmentReview = t.Object({
  will_enrol: t.Array(Id),
  suppressed: t.Array(Id),
  already: t.Array(Id, { description: 'In this sequence now or in the past' }),
  no_address: t.Array(Id, { description: 'Not reachable by any step of the sequence' }),
  unknown: t.Integer({ description: 'Number of IDs that are not leads in this team, or are in the trash' }),
  in_another: t.Array(t.Object({ lead_id: Id, sequence_id: Id, sequence_name: t.String() }), {
    description: 'Will be enrolled, but are also in another sequence',
  }),
  missing: t.Array(t.Object({ placeholder: t.String(), lead_ids: t.Array(Id) }), {
    description: 'Will be enrolled, but lack a value for a placeholder without a default',
  }),
  warnings: t.Array(Warning),
})
export type EnrolmentReview = Static<typeof EnrolmentReview>

export const PreviewStep = t.Object({
  step_index: t.Integer(),
  type: oneOf(stepTypes),
  due_at: Instant,
  held: nullable(oneOf(holds, 'Why it would be held when due')),
  fault: nullable(t.String({ description: 'Why it cannot be sent as it is' })),
  condition: nullable(t.String()),
  to: nullable(t.String()),
  subject: nullable(t.String()),
  html: nullable(t.String()),
  text: t.String(),
  segments: nullable(t.Integer()),
  missing: t.Array(t.String()),
  icebreaker: nullable(t.String()),
})
export type PreviewStep = Static<typeof PreviewStep>

const Count = t.Integer()

/** Rates are shown with their denominators. */
export const StepNumbers = t.Object({
  step_index: t.Integer(),
  sent: Count,
  delivered: Count,
  opened: Count,
  clicked: Count,
  replied: Count,
  bounced: Count,
  failed: Count,
  unknown: Count,
  tasks: Count,
  skipped: Count,
  waiting: t.Integer({ description: 'Enrolments waiting for this step' }),
})
export const SequenceNumbers = t.Object({
  enrolled: Count,
  active: Count,
  held: Count,
  sent: t.Integer({ description: 'Leads that received at least one message' }),
  opened: Count,
  clicked: Count,
  replied: Count,
  bounced: Count,
  booked: Count,
  converted: Count,
  finished: Count,
  stopped: Count,
  by_status: t.Record(t.String(), Count),
  steps: t.Array(StepNumbers),
})
export type SequenceNumbers = Static<typeof SequenceNumbers>

const ListEnrolments = t.Object(
  {
    ...paging,
    lead_id: anyOf(Id),
    sequence_id: anyOf(Id),
    status: anyOf(oneOf(outreachStatuses)),
    held: anyOf(oneOf(holds)),
    stop_reason: anyOf(oneOf(stopReasons)),
    reached: anyOf(oneOf(['sent', 'opened', 'clicked', 'replied', 'booked', 'converted', 'ended'])),
    step_index: t.Optional(t.Integer({ minimum: 0 })),
    active: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)
export type ListEnrolments = Static<typeof ListEnrolments>

const BySequence = t.Object({ id: SequenceName })
const ByStep = t.Object({ id: Id, step_index: t.String({ pattern: '^[0-9]{1,2}$' }) })

export const endpoints = defineEndpoints({
  enrolLeads: {
    method: 'POST',
    path: '/api/outreach/sequences/:id/enrolments',
    summary: 'Enrol up to 500 leads in a sequence',
    auth: scope,
    params: BySequence,
    body: LeadIds,
    output: t.Object({
      data: t.Array(Enrolment),
      skipped: t.Array(t.Object({ lead_id: Id, reason: t.String() })),
      unknown: t.Integer({
        description: 'Number of IDs that are not leads in this team, or are in the trash',
      }),
    }),
    status: 201,
    location: '/api/outreach/sequences/:id/enrolments',
  },
  listSequenceEnrolments: {
    method: 'GET',
    path: '/api/outreach/sequences/:id/enrolments',
    summary: 'List enrolments in a sequence, newest first',
    auth: scope,
    params: BySequence,
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Enrolment),
  },
  reviewEnrolment: {
    method: 'POST',
    path: '/api/outreach/sequences/:id/review',
    summary: 'Check who would be enrolled, who would not, and what is missing; changes nothing',
    auth: scope,
    params: BySequence,
    body: LeadIds,
    output: EnrolmentReview,
    status: 200,
  },
  previewSequence: {
    method: 'POST',
    path: '/api/outreach/sequences/:id/preview',
    summary: 'Preview every step for a lead with its due time; sends nothing',
    auth: scope,
    params: BySequence,
    body: t.Object({ lead_id: Id }, { additionalProperties: false }),
    output: t.Object({ data: t.Array(PreviewStep) }),
    status: 200,
  },
  readSequenceNumbers: {
    method: 'GET',
    path: '/api/outreach/sequences/:id/numbers',
    summary: 'Sequence metrics, overall and per step',
    auth: scope,
    params: BySequence,
    output: SequenceNumbers,
  },
  moveEnrolments: {
    method: 'POST',
    path: '/api/outreach/sequences/:id/move',
    summary: 'Move enrolments on older versions to the latest version',
    auth: scope,
    params: BySequence,
    output: t.Object({ moved: t.Integer() }),
    status: 200,
  },
  listEnrolments: {
    method: 'GET',
    path: '/api/outreach/enrolments',
    summary: 'List enrolments, newest first',
    auth: scope,
    query: ListEnrolments,
    output: listOf(Enrolment),
  },
  readEnrolment: {
    method: 'GET',
    path: '/api/outreach/enrolments/:id',
    summary: 'Read an enrolment',
    auth: scope,
    params: ById,
    output: Enrolment,
  },
  pauseEnrolment: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/pause',
    summary: 'Pause an enrolment',
    auth: scope,
    params: ById,
    output: Enrolment,
    status: 200,
  },
  resumeEnrolment: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/resume',
    summary: 'Resume an enrolment',
    auth: scope,
    params: ById,
    output: Enrolment,
    status: 200,
  },
  rescheduleEnrolment: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/reschedule',
    summary: 'Reschedule the next step',
    auth: scope,
    params: ById,
    body: t.Object({ next_step_at: Instant }, { additionalProperties: false }),
    output: Enrolment,
    status: 200,
  },
  skipStep: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/skip',
    summary: 'Skip the next step',
    auth: scope,
    params: ById,
    output: Enrolment,
    status: 200,
  },
  stopEnrolment: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/stop',
    summary: 'Stop an enrolment on all channels',
    auth: scope,
    params: ById,
    output: Enrolment,
    status: 200,
  },
  readTrace: {
    method: 'GET',
    path: '/api/outreach/enrolments/:id/trace',
    summary: 'List every decision about an enrolment with its reason, newest first',
    auth: scope,
    params: ById,
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(TraceEntry),
  },
  readSequenceTrace: {
    method: 'GET',
    path: '/api/outreach/sequences/:id/trace',
    summary: 'List every decision in a sequence with its reason, newest first',
    auth: scope,
    params: BySequence,
    query: t.Object({ ...paging, decision: anyOf(oneOf(decisions)) }, { additionalProperties: false }),
    output: listOf(TraceEntry),
  },
  listIcebreakers: {
    method: 'GET',
    path: '/api/outreach/enrolments/:id/icebreakers',
    summary: 'List the icebreakers written for an enrolment',
    auth: scope,
    params: ById,
    output: t.Object({ data: t.Array(Icebreaker) }),
  },
  writeIcebreakers: {
    method: 'POST',
    path: '/api/outreach/enrolments/:id/icebreakers',
    summary: 'Write missing icebreakers now, for review before sending',
    auth: scope,
    params: ById,
  },
  reviewIcebreaker: {
    method: 'PUT',
    path: '/api/outreach/enrolments/:id/icebreakers/:step_index',
    summary: 'Approve an icebreaker, optionally with a new text',
    auth: scope,
    params: ByStep,
    body: t.Object(
      { text: t.String({ maxLength: 1_000, pattern: '^[^\\u0000]*$' }) },
      { additionalProperties: false },
    ),
    output: Icebreaker,
  },
})

const live = { live: 'leads:read' } as const
const Told = t.Object({
  sequence_id: Id,
  sequence_name: t.String(),
  reason: t.Optional(oneOf(stopReasons)),
})
/** These appear on the lead's timeline. */
export const enrolmentEvents = {
  enrolled: defineEvent('outreach.enrolled', Told, live),
  stopped: defineEvent('outreach.stopped', Told, live),
  finished: defineEvent('outreach.finished', Told, live),
  paused: defineEvent('outreach.paused', Told, live),
  resumed: defineEvent('outreach.resumed', Told, live),
  moved: defineEvent('outreach.moved', t.Object({ moved: t.Integer(), version: t.Integer() }), {
    live: 'outreach:write',
  }),
}
