import type { Context } from '#platform/context.ts'
import type { Endpoint } from '#platform/contract.ts'
import { planOf, trialExpired } from './plan.ts'

/** A team with an expired trial is read-only for everyone: users, keys and apps. */
export async function refuseWhenExpired(ctx: Context, endpoint: Endpoint): Promise<void> {
  // The plan is remembered, and asked of every request; few teams are ever judged by the endpoint.
  if ((await planOf(ctx)) === 'EXPIRED' && !staysOpen(endpoint)) throw trialExpired()
}

/** Exceptions: leaving, revoking access, reading notifications, and payments. */
export function staysOpen({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  return (
    open.has(`${method} ${path}`) ||
    path.endsWith('/export') ||
    ofMoney.some(place => path === place || path.startsWith(`${place}/`))
  )
}

const open: ReadonlySet<string> = new Set([
  'POST /api/auth/team',
  'DELETE /api/auth/sessions/:id',
  'POST /api/auth/sessions/end_others',
  'POST /api/team/leave',
  'DELETE /api/team/members/:id',
  'DELETE /api/team/invitations/:id',
  'DELETE /api/keys/:id',
  'DELETE /api/oauth/clients/:id',
  'DELETE /api/oauth/grants/:id',
  'POST /api/notifications/read',
  'DELETE /api/notifications/push/:id',
])

/** An invoice that is paid late is still paid, and corrected. */
const ofMoney = ['/api/crm/invoices', '/api/credits']
