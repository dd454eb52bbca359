import {
  anyOf,
  defineEndpoints,
  Id,
  Instant,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { TemplateName } from '#domains/templates/contract.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import {
  CONDITION_LENGTH_MAX,
  DAILY_CAP_MAX,
  DELAY_DAYS_MAX,
  delayUnits,
  sequenceStatuses,
  STEPS_MAX,
  stepTypes,
} from './values.ts'

const scope = { scope: 'outreach:write' } as const

/** One shape for all four, as the interface has it; `sequences/model.ts` says which field goes with which type. */
export const Step = t.Object(
  {
    type: oneOf(stepTypes),
    delay_days: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: DELAY_DAYS_MAX,
        description: 'Days to wait before this step; 0 for none',
      }),
    ),
    template: t.Optional(TemplateName),
    ai_personalization: t.Optional(t.Boolean()),
    condition: t.Optional(
      t.String({
        minLength: 1,
        maxLength: CONDITION_LENGTH_MAX,
        description:
          'A condition like `not previous.opened and lead.title == "CEO"`; the step is sent only if it is met',
      }),
    ),
    description: t.Optional(t.String({ minLength: 1, maxLength: 2_000, pattern: '^[^\\u0000]*$' })),
    message: t.Optional(t.String({ minLength: 1, maxLength: SMS_LENGTH_MAX, pattern: '^[^\\u0000]*$' })),
  },
  { $id: 'SequenceStep', additionalProperties: false },
)
export type Step = Static<typeof Step>

const TimeOfDay = t.String({
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
  description: 'A time of day, like 08:30',
})

/** By default any time, no cap, every stop rule on. */
export const SequenceSettings = t.Object(
  {
    window: nullable(
      t.Object(
        {
          days: t.Array(t.Integer({ minimum: 1, maximum: 7 }), {
            minItems: 1,
            maxItems: 7,
            uniqueItems: true,
            description: '1 is Monday',
          }),
          from: TimeOfDay,
          until: TimeOfDay,
        },
        {
          additionalProperties: false,
          description: "When messages may be sent, in the lead's time zone",
        },
      ),
    ),
    timezone: nullable(
      t.String({
        maxLength: 64,
        format: 'time-zone',
        description: 'An IANA time zone for leads without one; null for UTC',
      }),
    ),
    daily_cap: nullable(t.Integer({ minimum: 1, maximum: DAILY_CAP_MAX })),
    delay_unit: oneOf(delayUnits),
    stop_rules: t.Object(
      { reply: t.Boolean(), meeting_booked: t.Boolean() },
      {
        additionalProperties: false,
        description: 'Bounces, complaints, unsubscribes and manual stops always end an enrolment',
      },
    ),
    track_opens: t.Boolean(),
    track_clicks: t.Boolean(),
    review_icebreakers: t.Boolean({
      description: 'Emails with an icebreaker wait for approval',
    }),
  },
  { additionalProperties: false },
)
export type SequenceSettings = Static<typeof SequenceSettings>

/** By its id, or by its sequence_id. */
export const SequenceName = t.Union([
  Id,
  t.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$', description: 'The sequence_id' }),
])

const identity = {
  sequence_id: t.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
    description: 'Identifier used in URLs; the ID by default',
  }),
  name: Text,
}

export const Sequence = t.Object(
  {
    id: Id,
    ...identity,
    steps: t.Array(Step, { maxItems: STEPS_MAX }),
    status: oneOf(sequenceStatuses),
    settings: SequenceSettings,
    version: t.Integer(),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Sequence' },
)
export type Sequence = Static<typeof Sequence>

export const Warning = t.Object({ path: t.String(), message: t.String() })
export type Warning = Static<typeof Warning>

/** With what is not right yet without being a fault: it can be saved, and not be activated. */
export const SequenceWithWarnings = t.Object({
  ...Sequence.properties,
  warnings: t.Array(Warning),
})
export type SequenceWithWarnings = Static<typeof SequenceWithWarnings>

export const NewSequence = t.Object(
  {
    sequence_id: t.Optional(identity.sequence_id),
    name: t.Optional(Text),
    steps: t.Optional(t.Array(Step, { maxItems: STEPS_MAX })),
    status: t.Optional(oneOf(sequenceStatuses)),
    settings: t.Optional(t.Partial(SequenceSettings, { additionalProperties: false })),
  },
  { additionalProperties: false },
)
export type NewSequence = Static<typeof NewSequence>

const SequenceChange = t.Object(
  {
    name: t.Optional(Text),
    steps: t.Optional(t.Array(Step, { maxItems: STEPS_MAX })),
    status: t.Optional(oneOf(sequenceStatuses)),
    settings: t.Optional(t.Partial(SequenceSettings, { additionalProperties: false })),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type SequenceChange = Static<typeof SequenceChange>

export const SequenceVersion = t.Object({
  version: t.Integer(),
  steps: t.Array(Step),
  created_at: Instant,
  created_by: nullable(t.String()),
})
export type SequenceVersion = Static<typeof SequenceVersion>

const ListSequences = t.Object(
  {
    ...paging,
    sort: sortBy(['name', 'created_at', 'updated_at']),
    q: t.Optional(t.String({ maxLength: 200 })),
    status: anyOf(oneOf(sequenceStatuses)),
    trashed: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)
export type ListSequences = Static<typeof ListSequences>

const BySequence = t.Object({ id: SequenceName })

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Sequence',
    many: 'Sequences',
    path: '/api/outreach/sequences',
    read: scope,
    write: scope,
    query: ListSequences,
    listed: Sequence,
    whole: SequenceWithWarnings,
    create: NewSequence,
    change: SequenceChange,
    params: BySequence,
    summaries: {
      list: 'List sequences',
      change: 'Update a sequence; changed steps become a new version, and enrolled leads stay on theirs',
      trash: 'Move a sequence to the trash for 30 days; it stops sending',
      restore: 'Restore a sequence from the trash, paused',
    },
  }),
  listSequenceVersions: {
    method: 'GET',
    path: '/api/outreach/sequences/:id/versions',
    summary: 'List versions of the steps, newest first',
    auth: scope,
    params: BySequence,
    output: t.Object({ data: t.Array(SequenceVersion) }),
  },
})

const Fields = t.Record(t.String(), t.Unknown())
const live = { live: 'outreach:write' } as const
export const sequenceEvents = {
  created: defineEvent('sequence.created', t.Object({ sequence: Fields }), live),
  changed: defineEvent(
    'sequence.changed',
    t.Object({ before: Fields, after: Fields, name: t.Optional(t.String()) }),
    live,
  ),
  trashed: defineEvent('sequence.trashed', t.Object({ name: t.Optional(t.String()) }), live),
  restored: defineEvent('sequence.restored', t.Object({ name: t.Optional(t.String()) }), live),
}
