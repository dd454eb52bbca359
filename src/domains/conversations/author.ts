import type { Context } from '#platform/context.ts'
import type { WriterKind } from './values.ts'

/** Who writes: an agent, a workflow, or somebody of the team, also through the API. Only the first two have a name of their own. */
export type Writer = { author_kind: WriterKind; author_id: string | null; author_name: string | null }

export function writerOf({ actor, principal }: Context): Writer {
  const { kind, id, name } = actor
  if (kind === 'workflow' || kind === 'agent') return { author_kind: kind, author_id: id, author_name: name }
  return { author_kind: 'person', author_id: principal?.user_id ?? null, author_name: null }
}
