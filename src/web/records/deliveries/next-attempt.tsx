import { Time, useNow } from '../../ui/time.tsx'

/** When the time has come, the next free worker takes it: no countdown any more. */
export function NextAttempt({ at }: { at: string }) {
  const now = useNow()
  return Date.parse(at) <= now ? <>due now</> : <Time at={at} ahead />
}
