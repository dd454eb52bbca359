import { entryKinds, type EntryKind } from '#domains/credits/values.ts'

/** The search parameters of the credits page. */
export type CreditsSearch = { kind?: EntryKind[] }

/** Whatever the URL contains, only what the API understands gets through. All kinds are the same as none. */
export function creditsSearch(raw: Record<string, unknown>): CreditsSearch {
  const wanted = new Set([raw.kind ?? []].flat().map(String))
  const kind = entryKinds.filter(each => wanted.has(each))
  return kind.length > 0 && kind.length < entryKinds.length ? { kind } : {}
}

/** One more kind, or one less. */
export function toggled({ kind = [] }: CreditsSearch, one: EntryKind): CreditsSearch {
  return creditsSearch({ kind: kind.includes(one) ? kind.filter(each => each !== one) : [...kind, one] })
}
