import { api } from '../api.ts'
import { toastFault } from '../ui/toast.ts'

export async function signOut(): Promise<void> {
  try {
    await api('POST /api/auth/signout')
    location.assign('/signin')
  } catch (error) {
    toastFault(error, 'Still signed in')
  }
}
