import type { Entry, Filters } from '#domains/audit/contract.ts'
import { actorKinds } from '../../records/audit/words.ts'
import {
  filterQuery,
  filtersOf,
  isOneOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

const WORD = /^[a-z_]+(\.[a-z_]+)?$/
const WORD_LENGTH_MAX = 100
const ID_LENGTH_MAX = 500

const auditShape: FilterShape = {
  lists: {
    type: isWord,
    actor_id: isAnyId,
    actor_kind: isOneOf(actorKinds),
    subject_kind: isWord,
    subject_id: isAnyId,
  },
  singles: ['actor_id', 'subject_id'],
  period: true,
}

/** Keeps only what the API understands. */
export function auditSearch(raw: Record<string, unknown>): ListSearch {
  return filtersOf(auditShape, raw)
}

export function auditQuery(search: ListSearch): Filters {
  return filterQuery(auditShape, search)
}

/** Everything the same actor did. */
export function byActor({ kind, id }: Entry['actor']): ListSearch {
  return { actor_kind: [kind], ...(id && { actor_id: [id] }) }
}

/** Everything that happened to the same record. */
export function aboutSubject({ kind, id }: Entry['subject']): ListSearch {
  return { subject_kind: [kind], subject_id: [id] }
}

function isWord(value: string): boolean {
  return WORD.test(value) && value.length <= WORD_LENGTH_MAX
}

/** IDs of keys, apps and providers have forms of their own. */
function isAnyId(value: string): boolean {
  return value.length > 0 && value.length <= ID_LENGTH_MAX
}
