import type { LiveChange } from '#domains/live/contract.ts'
import { api } from '../../api.ts'
import { createStore } from '../../ui/store.ts'

const SHOWN_MS = 6_000
const TELL_EVERY_MS = 4_000

type Writer = { name: string; until: number }

/** Who is writing, by conversation and person. */
const writers = createStore<Record<string, Record<string, Writer>>>({})

/** "Ada" or "Ada and Bob", while they are writing. */
export function useWriters(id: string): string {
  return writers.use(now =>
    Object.values(now[id] ?? {})
      .map(({ name }) => name)
      .join(' and '),
  )
}

/** Stands for the one person who writes from outside. */
export const VISITOR = 'visitor'

export function showWriter({ subject: { id }, data }: LiveChange, me: string): void {
  const user_id = data.user_id === null ? VISITOR : String(data.user_id ?? data.agent_id)
  if (user_id === me) return
  const unnamed = user_id === VISITOR ? 'Visitor' : 'Someone'
  const writer = { name: String(data.name || unnamed), until: Date.now() + SHOWN_MS }
  writers.set(now => ({ ...now, [id]: { ...now[id], [user_id]: writer } }))
  setTimeout(() => {
    if ((writers.get()[id]?.[user_id]?.until ?? Infinity) <= Date.now()) stopWriter(id, user_id)
  }, SHOWN_MS)
}

/** What they were writing is there. */
export function stopWriter(id: string, user_id: string | null): void {
  if (user_id === null || !writers.get()[id]?.[user_id]) return
  writers.set(now => {
    const { [user_id]: _gone, ...others } = now[id] ?? {}
    return { ...now, [id]: others }
  })
}

let told = { id: '', at: 0 }

/** Shows others that this person is writing, now and then. It is no loss where it fails. */
export function tellWriting(id: string): void {
  const now = Date.now()
  if (told.id === id && now - told.at < TELL_EVERY_MS) return
  told = { id, at: now }
  void api('POST /api/conversations/:id/writing', { params: { id }, changesNothing: true }).catch(() => {})
}
