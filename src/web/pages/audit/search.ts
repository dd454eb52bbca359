import type { Entry } from '#domains/audit/contract.ts'
import { instantsOf, isDay } from '../../ui/day.ts'
import { actorKinds, type ActorKind } from '../../records/audit/words.ts'

/** What the URL of the audit log holds. */
export type AuditSearch = {
  actor_kind?: ActorKind
  actor_id?: string
  type?: string[]
  subject_kind?: string
  subject_id?: string
  /** Days of the person's own calendar; both are included. */
  from?: string
  until?: string
}

const WORD = /^[a-z_]+(\.[a-z_]+)?$/
const ID_LENGTH_MAX = 500
const TYPES_MAX = 20

/** Keeps only what the API understands. */
export function auditSearch(raw: Record<string, unknown>): AuditSearch {
  const search: AuditSearch = {}
  const kind = one(raw.actor_kind)
  if (kind && isActorKind(kind)) search.actor_kind = kind
  const actorId = one(raw.actor_id)
  if (actorId) search.actor_id = actorId.slice(0, ID_LENGTH_MAX)
  const types = [raw.type ?? []].flat().map(String)
  const known = types.filter(type => WORD.test(type)).slice(0, TYPES_MAX)
  if (known.length) search.type = known
  const subjectKind = one(raw.subject_kind)
  if (subjectKind && WORD.test(subjectKind)) search.subject_kind = subjectKind
  const subjectId = one(raw.subject_id)
  if (subjectId) search.subject_id = subjectId.slice(0, ID_LENGTH_MAX)
  for (const name of ['from', 'until'] as const) {
    const day = one(raw[name])
    if (day && isDay(day)) search[name] = day
  }
  return search
}

/** The search as the API takes it: kinds and types as lists, days as instants. */
export function auditQuery({ actor_kind, type, subject_kind, from, until, ...rest }: AuditSearch) {
  return {
    ...rest,
    ...(actor_kind && { actor_kind: [actor_kind] }),
    ...(type && { type }),
    ...(subject_kind && { subject_kind: [subject_kind] }),
    ...instantsOf(from, until),
  }
}

/** Everything the same actor did. */
export function byActor({ kind, id }: Entry['actor']): AuditSearch {
  return { actor_kind: kind, ...(id && { actor_id: id }) }
}

/** Everything that happened to the same record. */
export function aboutSubject({ kind, id }: Entry['subject']): AuditSearch {
  return { subject_kind: kind, subject_id: id }
}

function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? undefined : String(first)
}

function isActorKind(text: string): text is ActorKind {
  return (actorKinds as readonly string[]).includes(text)
}
