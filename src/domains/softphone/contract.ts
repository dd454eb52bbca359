import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  nullable,
  oneOf,
  Phone,
  t,
  type Static,
} from '#platform/contract.ts'
import { CallInList } from '#domains/calls/contract.ts'
import { PROMPT_LENGTH_MAX, refusals } from './values.ts'

/** A session is a call that an agent makes: it has the call's id. */
export const Session = t.Object(
  {
    ...CallInList.properties,
    live: t.Boolean({ description: 'Whether the agent can receive a prompt now' }),
  },
  { $id: 'SoftphoneSession' },
)
export type Session = Static<typeof Session>

export const NewSession = t.Object(
  {
    lead_id: t.Optional(Id),
    number: t.Optional(Phone),
    agent_id: Id,
    scheduled_at: t.Optional(Instant),
    instructions: t.Optional(
      t.String({
        minLength: 1,
        maxLength: PROMPT_LENGTH_MAX,
        description: 'Extra instructions for this call',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewSession = Static<typeof NewSession>

const CallAsked = t.Object(
  { lead_id: t.Optional(Id), number: t.Optional(Phone), agent_id: Id },
  { additionalProperties: false },
)
export type CallAsked = Static<typeof CallAsked>

/** Whether an agent may call now, and everything that speaks against it. */
export const CallCheck = t.Object(
  {
    may_call: t.Boolean(),
    refusals: t.Array(
      t.Object({
        code: oneOf(refusals),
        message: t.String(),
        next_at: nullable(Instant),
      }),
    ),
    timezones: t.Array(t.String(), {
      description: 'Possible time zones of the lead; several if only the phone number is known',
    }),
    timezone_from: oneOf(['lead', 'phone', 'none']),
  },
  { $id: 'CallCheck' },
)
export type CallCheck = Static<typeof CallCheck>

export const NewPrompt = t.Object(
  { text: t.String({ minLength: 1, maxLength: PROMPT_LENGTH_MAX, pattern: '^[^\\u0000]*$' }) },
  { additionalProperties: false },
)

/** How the agents' models do: by the hour or day, and by agent. */
export const Analytics = t.Object(
  {
    from: Instant,
    until: Instant,
    agents: t.Array(
      t.Object({
        agent_id: nullable(Id),
        name: nullable(t.String()),
        responses: t.Integer(),
        failed: t.Integer(),
        latency_p50_ms: nullable(t.Number()),
        latency_p95_ms: nullable(t.Number()),
        calls: t.Integer(),
        connected: t.Integer(),
        minutes: t.Number(),
        meetings: t.Integer(),
      }),
    ),
    buckets: t.Array(
      t.Object({
        at: Instant,
        agent_id: nullable(Id),
        responses: t.Integer(),
        failed: t.Integer(),
        latency_p50_ms: nullable(t.Number()),
      }),
      { description: 'Hourly for up to two days, otherwise daily' },
    ),
  },
  { $id: 'VoiceAnalytics' },
)
export type Analytics = Static<typeof Analytics>

/** What carries the calls here. */
export const Line = t.Object(
  {
    provider: oneOf(['simulator', 'openai']),
    can_dial: t.Boolean(),
    note: nullable(t.String({ description: 'What is missing' })),
  },
  { $id: 'VoiceLine' },
)

const control = { scope: 'softphone:control' } as const
const one = { params: ById, output: Session } as const

export const endpoints = defineEndpoints({
  startSession: {
    method: 'POST',
    path: '/api/softphone/sessions',
    summary: 'Start a call by an agent to a lead or number; refused with a reason if not allowed',
    auth: control,
    body: NewSession,
    output: Session,
    status: 201,
  },
  checkCall: {
    method: 'POST',
    path: '/api/softphone/check',
    summary:
      'Check whether an agent may call a lead or number now, with every reason against it; starts nothing',
    auth: control,
    body: CallAsked,
    output: CallCheck,
    status: 200,
  },
  readCallSession: {
    method: 'GET',
    path: '/api/softphone/sessions/:id',
    summary: 'Read a session',
    auth: control,
    ...one,
  },
  pushPrompt: {
    method: 'POST',
    path: '/api/softphone/sessions/:id/prompts',
    summary: 'Send a prompt to the agent of a live session',
    auth: control,
    body: NewPrompt,
    status: 202,
    ...one,
  },
  stopSession: {
    method: 'POST',
    path: '/api/softphone/sessions/:id/stop',
    summary: 'End a session, or cancel a scheduled one',
    auth: control,
    status: 200,
    ...one,
  },
  readAnalytics: {
    method: 'GET',
    path: '/api/voice/analytics',
    summary: 'Agent and model performance for a period, the last 30 days by default',
    auth: { scope: 'voice:read' },
    query: t.Object(
      {
        from: t.Optional(Instant),
        until: t.Optional(Instant),
        agent_id: t.Optional(Id),
      },
      { additionalProperties: false },
    ),
    output: Analytics,
  },
  readLine: {
    method: 'GET',
    path: '/api/voice/line',
    summary: 'Read the voice provider status of this installation',
    auth: { scope: 'voice:read' },
    output: Line,
  },
})
