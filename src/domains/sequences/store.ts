import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import { keeper } from '#platform/records.ts'
import { sequenceEvents, type Sequence, type SequenceVersion, type Step } from './contract.ts'

export const sequenceColumns = [
  'id',
  'sequence_id',
  'name',
  'steps',
  'status',
  'settings',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Sequence)[]

export const records = keeper<Sequence>({
  noun: 'sequence',
  table: 'sequences',
  columns: sequenceColumns,
  json: ['steps', 'settings'],
  events: sequenceEvents,
  nameOf: ({ name }) => name,
})

export async function findIdOf(ctx: Context, sequence_id: string): Promise<string | undefined> {
  const row = await ctx.first(
    db
      .selectFrom('sequences')
      .select('id')
      .where('team_id', '=', ctx.team_id)
      .where('sequence_id', '=', sequence_id),
  )
  return row?.id
}

/** The steps of a version; a draft's version is rewritten. */
export function saveVersion(
  ctx: Context,
  id: string,
  { version, steps }: Pick<Sequence, 'version' | 'steps'>,
) {
  const written = {
    steps: JSON.stringify(steps) as unknown as Step[],
    created_at: ctx.now(),
    created_by: ctx.actor.name,
  }
  ctx.later(
    db
      .insertInto('sequence_versions')
      .values({ team_id: ctx.team_id, sequence_id: id, version, ...written })
      .onConflict(conflict => conflict.columns(['team_id', 'sequence_id', 'version']).doUpdateSet(written)),
  )
}

export async function findVersion(ctx: Context, id: string, version: number): Promise<Step[] | undefined> {
  const row = await ctx.first(
    db
      .selectFrom('sequence_versions')
      .select('steps')
      .where('team_id', '=', ctx.team_id)
      .where('sequence_id', '=', id)
      .where('version', '=', version),
  )
  return row?.steps
}

export async function listVersions(ctx: Context, id: string): Promise<SequenceVersion[]> {
  return ctx.all(
    db
      .selectFrom('sequence_versions')
      .select(['version', 'steps', 'created_at', 'created_by'])
      .where('team_id', '=', ctx.team_id)
      .where('sequence_id', '=', id)
      .orderBy('version', 'desc'),
  )
}

type VersionRow = SequenceVersion & { team_id: string; sequence_id: string }
const db = tables<{ sequences: Sequence & { team_id: string }; sequence_versions: VersionRow }>()
