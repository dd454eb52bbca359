import { defineEndpoints, Id, Instant, nullable, t, type Static } from '#platform/contract.ts'
import { Board, Forecast } from '#domains/opportunities/contract.ts'

/** The start of the day: what is due, who replied, what failed, how the pipeline looks. */
export const Home = t.Object({
  tasks: t.Object({
    overdue: t.Integer({ description: 'Your open tasks that are overdue' }),
    today: t.Integer({ description: 'Your open tasks due later today' }),
  }),
  replies: t.Object({
    count: t.Integer({ description: 'Lead replies in the last seven days' }),
    latest: t.Array(
      t.Object({ id: Id, lead_id: nullable(Id), lead_name: nullable(t.String()), at: Instant }),
    ),
  }),
  failures: t.Object({
    jobs: t.Integer({ description: 'Failed jobs waiting for review; ADMIN only' }),
    imports: t.Integer({
      description: 'Imports in the last seven days that failed or had rows with errors',
    }),
    invitations: t.Integer({
      description: 'Invitations whose email could not be sent; ADMIN only',
    }),
    messages: t.Integer({
      description: 'Messages to leads that failed or have an unknown outcome',
    }),
    payments: t.Integer({
      description: 'Payments with an unresolved issue',
    }),
    workflows: t.Array(t.Object({ id: Id, name: t.String(), runs: t.Integer() }), {
      description: 'Workflows with the most failed runs in the last seven days',
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
    summary: 'Your day at a glance; `until` is the end of the day, 24 hours from now by default',
    auth: { role: 'VIEWER' },
    query: t.Object({ until: t.Optional(Instant) }, { additionalProperties: false }),
    output: Home,
  },
})
