import type { Call, CallLine } from '#domains/calls/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { queryClient } from '../../query-client.ts'
import { calls } from './store.ts'

/** Adds new lines to a cached call. Calls that are not cached are ignored. */
export function applyLines({ subject, data }: LiveChange): void {
  const lines = Array.isArray(data.lines) ? (data.lines as CallLine[]) : []
  const { queryKey } = calls.query(subject.id)
  // Too long for a live message: the call is loaded again where it is shown.
  if (lines.length === 0) void queryClient.invalidateQueries({ queryKey })
  queryClient.setQueryData<Call>(
    queryKey,
    known => known && { ...known, transcript: mergeLines(known.transcript, lines) },
  )
}

/** Merges two versions of a transcript. Either may be older: no line is lost, and a tool's result is kept. */
export function mergeLines(known: readonly CallLine[], told: readonly CallLine[]): CallLine[] {
  if (told.length === 0) return known as CallLine[]
  const byId = new Map(known.map(line => [line.id, line]))
  for (const line of told) {
    const before = byId.get(line.id)
    if (!before || !isAnswered(before) || isAnswered(line)) byId.set(line.id, line)
  }
  return [...byId.values()].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : Number(a.id > b.id)),
  )
}

function isAnswered({ tool }: CallLine): boolean {
  return tool !== null && tool.status !== 'asked'
}
