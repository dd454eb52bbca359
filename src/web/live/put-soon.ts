import { put } from '../records/cache.ts'
import { truthOf } from '../records/edits.ts'
import type { Kept } from '../records/walk.ts'

/** Some fields of a record, and its version. */
type Told = Kept & Record<string, unknown>

const FLUSH_MS = 30

const waiting = new Map<string, Told>()

/** Five hundred records changed by one click are one repaint, not five hundred. */
export function putSoon(told: Told): void {
  if (waiting.size === 0) setTimeout(flush, FLUSH_MS)
  waiting.set(told.id, { ...waiting.get(told.id), ...told })
}

function flush(): void {
  const news = [...waiting.values()].filter(told => !isKnown(told))
  waiting.clear()
  if (news.length > 0) put(...news)
}

/** Our own changes arrive here after their responses, which have the exact version. */
function isKnown({ id, updated_at: _version, ...fields }: Told): boolean {
  const truth = truthOf(id)
  return (
    truth !== undefined &&
    Object.entries(fields).every(
      ([key, value]) => JSON.stringify(truth[key as keyof Kept]) === JSON.stringify(value),
    )
  )
}
