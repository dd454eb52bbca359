import { defineEndpoints, Id, Instant, nullable, t, type Static } from '#platform/contract.ts'
import { Board, Forecast } from '#domains/opportunities/contract.ts'

/** The first thing somebody sees in the morning: what is due, who answered, what failed, where everything stands. */
export const Home = t.Object({
  tasks: t.Object({
    overdue: t.Integer({ description: 'Open tasks of the caller that are past due' }),
    today: t.Integer({ description: 'Those that are still due today' }),
  }),
  replies: t.Object({
    count: t.Integer({ description: 'Answers of leads within the last seven days' }),
    latest: t.Array(
      t.Object({ id: Id, lead_id: nullable(Id), lead_name: nullable(t.String()), at: Instant }),
    ),
  }),
  failures: t.Object({
    jobs: t.Integer({ description: 'Work that was given up and waits for a person; only an ADMIN sees it' }),
    imports: t.Integer({
      description: 'Imports of the last seven days that failed or have rows with errors',
    }),
    invitations: t.Integer({
      description: 'Invitations whose mail could not be sent; only an ADMIN sees it',
    }),
    messages: t.Integer({
      description: 'Messages to leads that failed, or of which nobody knows whether they were sent',
    }),
    payments: t.Integer({
      description: 'Payments with which something is wrong, and about which nobody has decided',
    }),
    workflows: t.Array(t.Object({ id: Id, name: t.String(), runs: t.Integer() }), {
      description: 'The workflows of which most runs of the last seven days have failed, and how many',
    }),
  }),
  funnel: Board.properties.columns,
  deals: Board.properties.columns,
  forecast: Forecast.properties.months,
})
export type Home = Static<typeof Home>

export const endpoints = defineEndpoints({
  readHome: {
    method: 'GET',
    path: '/api/crm/home',
    summary: "The caller's day at a glance; `until` is when it ends, else in 24 hours",
    auth: { role: 'VIEWER' },
    query: t.Object({ until: t.Optional(Instant) }, { additionalProperties: false }),
    output: Home,
  },
})
