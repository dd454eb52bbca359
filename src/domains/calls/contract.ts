import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  LongText,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  WebAddress,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import {
  callDirections,
  callKinds,
  callSorts,
  callStates,
  DURATION_SEC_MAX,
  followUpIntents,
  speakers,
} from './values.ts'

const Duration = t.Integer({ minimum: 0, maximum: DURATION_SEC_MAX })

export const CallLine = t.Object(
  {
    id: Id,
    speaker: oneOf(speakers, 'person: a team member, by a prompt'),
    text: t.String(),
    tool: nullable(
      t.Object({
        name: t.String(),
        arguments: t.Record(t.String(), t.Unknown()),
        status: oneOf(['asked', 'done', 'failed']),
        result: nullable(t.String()),
      }),
    ),
    at: Instant,
  },
  { $id: 'CallLine' },
)
export type CallLine = Static<typeof CallLine>

export const FollowUp = t.Object({
  intent: oneOf(followUpIntents),
  reason: t.String(),
  task_id: t.Optional(Id),
  call_id: t.Optional(Id),
  meeting_id: t.Optional(Id),
  at: t.Optional(Instant),
})
export type FollowUp = Static<typeof FollowUp>

const shown = {
  id: Id,
  kind: oneOf(callKinds, 'agent: handled by an AI agent; human: by a team member; manual: logged afterwards'),
  direction: oneOf(callDirections),
  status: oneOf(callStates),
  lead_id: nullable(Id),
  agent_id: nullable(Id),
  agent_version: nullable(t.Integer()),
  user_id: nullable(Id),
  from: nullable(t.String()),
  to: nullable(t.String()),
  scheduled_at: nullable(Instant),
  started_at: Instant,
  connected_at: nullable(Instant),
  ended_at: nullable(Instant),
  duration_sec: nullable(t.Integer()),
  outcome: nullable(t.String()),
  summary: nullable(t.String()),
  notes: nullable(t.String()),
  recording_url: nullable(t.String()),
  follow_up: nullable(FollowUp),
  end_reason: nullable(t.String()),
  attempt: t.Integer(),
  provider: nullable(t.String()),
  created_at: Instant,
  updated_at: Instant,
}
/** In a list: without what was said. */
export const CallInList = t.Object(shown, { $id: 'CallInList' })
export type CallInList = Static<typeof CallInList>
export const Call = t.Object({ ...shown, transcript: t.Array(CallLine) }, { $id: 'Call' })
export type Call = Static<typeof Call>

/** Written down by hand; `human` without an end is one that somebody is making now. */
export const NewCall = t.Object(
  {
    kind: t.Optional(oneOf(['human', 'manual'])),
    lead_id: Id,
    direction: t.Optional(oneOf(callDirections)),
    started_at: t.Optional(Instant),
    duration_sec: t.Optional(Duration),
    status: t.Optional(oneOf(['DIALING', 'CONNECTED', 'ENDED', 'NO_ANSWER', 'VOICEMAIL', 'FAILED'])),
    outcome: t.Optional(Text),
    summary: t.Optional(LongText),
    notes: t.Optional(LongText),
    recording_url: t.Optional(WebAddress),
  },
  { additionalProperties: false },
)
export type NewCall = Static<typeof NewCall>
export const CallChange = t.Partial(
  t.Object({
    lead_id: nullable(Id),
    outcome: nullable(Text),
    summary: nullable(LongText),
    notes: nullable(LongText),
    recording_url: nullable(WebAddress),
    status: oneOf(
      ['CONNECTED', 'ENDED', 'NO_ANSWER', 'VOICEMAIL', 'FAILED'],
      'Only for calls made by a person',
    ),
    duration_sec: Duration,
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type CallChange = Static<typeof CallChange>

export const ListCalls = t.Object(
  {
    ...paging,
    sort: sortBy(callSorts),
    live: t.Optional(t.Boolean({ description: 'Only calls that are active or scheduled' })),
    status: anyOf(oneOf(callStates)),
    kind: anyOf(oneOf(callKinds)),
    direction: anyOf(oneOf(callDirections)),
    lead_id: t.Optional(Id),
    agent_id: anyOf(Id),
    from_time: t.Optional(Instant),
    until_time: t.Optional(Instant),
  },
  { additionalProperties: false },
)
export type ListCalls = Static<typeof ListCalls>

export const Consent = t.Object(
  {
    lead_id: Id,
    given: nullable(t.Boolean({ description: 'null: never asked' })),
    source: nullable(t.String()),
    note: nullable(t.String()),
    at: nullable(Instant),
  },
  { $id: 'CallConsent' },
)
export type Consent = Static<typeof Consent>

const read = { scope: 'voice:read' } as const
/** Who steers calls sees them. */
const look = { scope: 'voice:read', or: 'softphone:control' } as const
const write = { scope: 'voice:write' } as const
const one = { params: ById, output: Call, etag: true } as const
const ofLead = { params: t.Object({ lead_id: Id }), output: Consent } as const

export const endpoints = defineEndpoints({
  listCalls: {
    method: 'GET',
    path: '/api/voice/calls',
    summary: 'List calls, newest first',
    auth: look,
    query: ListCalls,
    output: listOf(CallInList),
  },
  createCall: {
    method: 'POST',
    path: '/api/voice/calls',
    summary: 'Log a call made by a person, during or after it',
    auth: write,
    body: NewCall,
    output: Call,
    status: 201,
    etag: true,
  },
  readCall: {
    method: 'GET',
    path: '/api/voice/calls/:id',
    summary: 'Read a call and its transcript',
    auth: look,
    ...one,
  },
  changeCall: {
    method: 'PATCH',
    path: '/api/voice/calls/:id',
    summary: 'Update the notes, outcome, summary, recording or lead of a call',
    auth: write,
    body: CallChange,
    ...one,
  },
  readConsent: {
    method: 'GET',
    path: '/api/voice/consents/:lead_id',
    summary: 'Read whether agents may call a lead',
    auth: read,
    ...ofLead,
  },
  setConsent: {
    method: 'PUT',
    path: '/api/voice/consents/:lead_id',
    summary: 'Set whether agents may call a lead',
    auth: write,
    body: t.Object(
      { given: t.Boolean(), source: Text, note: t.Optional(LongText) },
      { additionalProperties: false },
    ),
    ...ofLead,
  },
})

const live = { live: 'voice:read' } as const
const told = {
  kind: oneOf(callKinds),
  direction: oneOf(callDirections),
  status: oneOf(callStates),
  agent_id: nullable(Id),
  from: nullable(t.String()),
  to: nullable(t.String()),
}
export const callEvents = {
  /** It waits for its time, or is being made. */
  started: defineEvent('call.started', t.Object(told), live),
  connected: defineEvent('call.connected', t.Object(told), live),
  ended: defineEvent(
    'call.ended',
    t.Object({
      ...told,
      callId: Id,
      leadId: nullable(Id),
      durationSec: t.Integer(),
      outcome: nullable(t.String()),
      summary: nullable(t.String()),
      follow_up: nullable(FollowUp),
    }),
    live,
  ),
  changed: defineEvent(
    'call.changed',
    t.Object({ before: t.Record(t.String(), t.Unknown()), after: t.Record(t.String(), t.Unknown()) }),
    live,
  ),
  toolUsed: defineEvent(
    'call.tool_used',
    t.Object({ tool: t.String(), ok: t.Boolean(), text: t.String() }),
    live,
  ),
}
export const consentChanged = defineEvent(
  'call_consent.changed',
  t.Object({ given: t.Boolean(), source: t.String() }),
  live,
)

/** Sent to those who look on, and kept nowhere else than in the call: what was said. */
export const CALL_LINES = 'call.lines'
