import { QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import { isProblem } from './problem.ts'
import { seenIn } from './records/edits.ts'

const FRESH_MS = 60_000
const RETRIES_MAX = 2

// The live stream keeps data up to date, so there is no refetch on focus.
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // Pending edits, and changes made after a request was sent, survive its response.
      structuralSharing: (before, answer) => replaceEqualDeep(before, seenIn(answer)),
      retry: (failures, error) =>
        failures < RETRIES_MAX && isProblem(error) && (error.status === 0 || error.status >= 500),
      retryDelay: attempt => 400 * 2 ** attempt,
    },
    mutations: { networkMode: 'always' },
  },
})
