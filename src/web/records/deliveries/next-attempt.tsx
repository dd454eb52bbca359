import { Time, useNow } from '../../ui/time.tsx'

/** A time that has come is no longer told by the minute: the next free hand takes it. */
export function NextAttempt({ at }: { at: string }) {
  const now = useNow()
  return Date.parse(at) <= now ? <>due now</> : <Time at={at} ahead />
}
