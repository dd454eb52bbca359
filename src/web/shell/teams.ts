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

/** Whether the dialog for a new team is open; it belongs to the user menu. */
export const founding = createStore(false)

export function foundTeam(): void {
  founding.set(true)
  // On a phone the user menu is in the drawer.
  if (matchMedia(NARROW).matches) opened.set('navigation')
}

/** False if it failed; the error was shown. */
export async function switchTeam(teamId: string): Promise<boolean> {
  try {
    await api('POST /api/auth/team', { body: { teamId } })
  } catch (error) {
    toastFault(error, "Couldn't switch teams")
    return false
  }
  reloadApp()
  return true
}

// All tabs share the session and so the team: the others still show the previous one.
const otherTabs = new BroadcastChannel('rapport.team')
otherTabs.addEventListener('message', () => location.assign('/'))

/** Reloads the page, so that no data of the other team stays in memory. */
export function reloadApp(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  otherTabs.postMessage('left')
  location.assign('/')
}
