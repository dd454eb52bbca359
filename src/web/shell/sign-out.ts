import { api } from '../api.ts'
import { anybodyWishes } from '../notifications/browser-wish.ts'
import { DRAFTS_KEY } from '../records/conversations/draft-key.ts'
import { toastFault } from '../ui/toast.ts'

export async function signOut(): Promise<void> {
  try {
    await api('POST /api/auth/signout')
    if (anybodyWishes()) await leaveBrowser()
    // The next person must not read them either.
    sessionStorage.removeItem(DRAFTS_KEY)
    location.assign('/signin')
  } catch (error) {
    toastFault(error, "Couldn't sign out")
  }
}

/** The next person to sign in here must not see notifications of this one. */
async function leaveBrowser(): Promise<void> {
  try {
    await (await import('../notifications/browser-push.ts')).leave()
  } catch {
    // The server has dropped this browser with the session.
  }
}
