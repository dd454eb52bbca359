import { defineEndpoints, Instant, nullable, oneOf, t, type Static } from '#platform/contract.ts'
import { answerSpans, ANSWER_TIMES_DAYS, ANSWER_TIMES_DAYS_MAX, writerKinds } from './values.ts'

const Minutes = nullable(t.Number({ description: 'Minutes of open hours; null where there are none' }))
const figures = {
  answered: t.Integer({ description: 'Answers to messages that waited' }),
  within_target: t.Integer(),
  late: t.Integer({ description: 'Answers after they were due; what had no target is in neither' }),
  first_answers: t.Integer({ description: 'Answers to somebody whom nobody had answered before' }),
  first_median_min: Minutes,
  first_p90_min: Minutes,
  next_answers: t.Integer(),
  next_median_min: Minutes,
  next_p90_min: Minutes,
  closed_unanswered: t.Integer({ description: 'Closed, or set to WAITING, while a message waited' }),
  late_now: t.Integer({ description: 'Conversations whose answer is late at this moment' }),
}
const Figures = t.Object(figures)
export type AnswerFigures = Static<typeof Figures>

const Row = t.Object({
  key: nullable(
    t.String({
      description:
        'The day, the Monday of the week, a channel, or the ID of a mailbox, person, agent or workflow; null for the mailbox of the installation, and for API keys of nobody',
    }),
  ),
  name: nullable(t.String({ description: 'Of whom or what the ID is, as far as it is known' })),
  kind: nullable(oneOf(writerKinds)),
  ...figures,
})
export type AnswerTimesRow = Static<typeof Row>

export const AnswerTimes = t.Object(
  {
    from: Instant,
    until: Instant,
    timezone: t.String({ description: 'That of the team, in which days and weeks begin' }),
    by: oneOf(answerSpans),
    totals: Figures,
    rows: t.Array(Row),
  },
  { $id: 'AnswerTimes' },
)
export type AnswerTimes = Static<typeof AnswerTimes>

const Query = t.Object(
  {
    from: t.Optional(
      t.String({ format: 'date-time', description: `Default: ${ANSWER_TIMES_DAYS} days before the end` }),
    ),
    until: t.Optional(
      t.String({
        format: 'date-time',
        description: `Default: the end of today. At most ${ANSWER_TIMES_DAYS_MAX} days after from`,
      }),
    ),
    by: t.Optional(oneOf(answerSpans, 'Default: day')),
  },
  { additionalProperties: false },
)
export type AnswerTimesQuery = Static<typeof Query>

const read = { scope: 'conversations:read' } as const

export const answerTimesEndpoints = defineEndpoints({
  readAnswerTimes: {
    method: 'GET',
    path: '/api/conversations/answer-times',
    summary: 'How soon conversations were answered, by day, week, person, mailbox or channel',
    description:
      'An answer counts at the time it was written, for who wrote it and for where the message came in. By mailbox, only emails are counted. `late_now` is about this moment, whatever the span: by day and week it is counted when the answer was due.',
    auth: read,
    query: Query,
    output: AnswerTimes,
  },
  exportAnswerTimes: {
    method: 'GET',
    path: '/api/conversations/answer-times/export',
    summary: 'Export answer times as CSV, safe from formula injection',
    auth: read,
    query: Query,
    media: 'text/csv',
  },
})
