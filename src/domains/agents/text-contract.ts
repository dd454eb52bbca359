import { nullable, t, type Static } from '#platform/contract.ts'
import { ANSWERS_MAX, FACTS_LENGTH_MAX, TEXT_HOURS_MAX, TOPIC_LENGTH_MAX, TOPICS_MAX } from './values.ts'

const TimeOfDay = t.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$' })

const TextHours = t.Object(
  {
    timezone: t.String({ maxLength: 64, format: 'time-zone', description: 'An IANA time zone' }),
    spans: t.Array(
      t.Object(
        {
          day: t.Integer({ minimum: 1, maximum: 7, description: 'Monday is 1' }),
          from: TimeOfDay,
          until: TimeOfDay,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: TEXT_HOURS_MAX },
    ),
  },
  { additionalProperties: false },
)

/** How an agent answers by email, text message and web chat. */
export const TextSettings = t.Object(
  {
    answers_max: t.Integer({
      minimum: 0,
      maximum: ANSWERS_MAX,
      description: 'Answers in one conversation before a person takes over',
    }),
    hours: nullable(TextHours),
    topics: t.Array(
      t.String({ minLength: 1, maxLength: TOPIC_LENGTH_MAX, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
      {
        maxItems: TOPICS_MAX,
        uniqueItems: true,
        description: 'What it may answer about; empty: whatever its facts and the saved replies say',
      },
    ),
    confidence_min: t.Number({
      minimum: 0,
      maximum: 1,
      description: 'An answer that it is less sure of goes to a person',
    }),
    facts: nullable(
      t.String({
        maxLength: FACTS_LENGTH_MAX,
        pattern: '^[^\\u0000]*$',
        description: 'What it may answer from, besides the saved replies',
      }),
    ),
    says_it_is_ai: t.Boolean({
      description: 'Whether its first answer says that it is an AI; the team may require it',
    }),
  },
  { additionalProperties: false },
)
export type TextSettings = Static<typeof TextSettings>
