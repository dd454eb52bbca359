import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { cacheKeys } from '../queries.ts'
import { createStore } from '../ui/store.ts'
import { toastFault } from '../ui/toast.ts'
import { NARROW } from '../ui/narrow.ts'
import { opened } from '../ui/opened.ts'

const LIST_LIMIT = 200

export const ownTeamsQuery = queryOptions({
  queryKey: cacheKeys.ownTeams,
  queryFn: async () => (await api('GET /api/auth/teams', { query: { limit: LIST_LIMIT } })).data,
})

/** Whether the dialog for a new team is open; it hangs on the user menu. */
export const founding = createStore(false)

export function foundTeam(): void {
  founding.set(true)
  // On a phone the user menu is in the drawer.
  if (matchMedia(NARROW).matches) opened.set('navigation')
}

/** False: it did not happen, and the person was told why. */
export async function switchTeam(teamId: string): Promise<boolean> {
  try {
    await api('POST /api/auth/team', { body: { teamId } })
  } catch (error) {
    toastFault(error, "Couldn't switch teams")
    return false
  }
  beginAnew()
  return true
}

// All tabs of a browser share the session, and with it the team: what the others show is of the team that was left.
const otherTabs = new BroadcastChannel('rapport.team')
otherTabs.addEventListener('message', () => location.assign('/'))

/** The whole page is loaded again, so that no row of the other team stays in memory. */
export function beginAnew(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  otherTabs.postMessage('left')
  location.assign('/')
}
