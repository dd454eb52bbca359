import type { Context, Runtime } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { isId } from '#platform/ids.ts'
import { isAnyOf, listPage, type Listing } from '#platform/listing.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { filledFields } from '#platform/records.ts'
import { recentSettings } from '#domains/leads/service.ts'
import {
  sequenceEvents,
  type ListSequences,
  type NewSequence,
  type Sequence,
  type SequenceChange,
  type SequenceVersion,
  type SequenceWithWarnings,
  type Step,
  type Warning,
} from './contract.ts'
import { newSequence, settingsFaults, stepFaults, tidyStep } from './model.ts'
import { obstaclesIn, refuseObstacles, type Obstacle } from './readiness.ts'
import * as store from './store.ts'
import { records, sequenceColumns } from './store.ts'

type Sort = 'name' | 'created_at' | 'updated_at'
const listing: Listing<Sort> = {
  table: 'sequences',
  columns: sequenceColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listSequences(ctx: Context, query: ListSequences) {
  return listPage<Sequence, Sort>(ctx, listing, query, isAnyOf('status', query.status))
}

export async function quickSequences(ctx: Context, q: string, limit: number): Promise<Sequence[]> {
  const searched = { table: 'sequences', columns: sequenceColumns, keys: ['name_key'], recent: 'updated_at' }
  return quickMatches(ctx, searched, q, limit)
}

export const findSequences = records.findAll

/**
 * Their current state. One that is not active is read again under a lock: activating it waits until
 * concurrent steps have recorded that they wait, and then wakes them all.
 */
export async function findSequencesToRun(ctx: Context, ids: readonly string[]): Promise<Sequence[]> {
  const found = await findSequences(ctx, ids)
  const idle = found.filter(({ status, deleted_at }) => status !== 'ACTIVE' || deleted_at).map(({ id }) => id)
  if (idle.length === 0) return found
  const again = new Map((await records.lockAll(ctx, idle)).map(sequence => [sequence.id, sequence]))
  return found.map(sequence => again.get(sequence.id) ?? sequence)
}
export const purgeSequences = records.purge

/** By its id, or by the name it has in addresses. */
export async function getSequence(ctx: Context, name: string): Promise<Sequence> {
  return records.get(ctx, await idOf(ctx, name))
}

export async function readSequence(ctx: Context, name: string): Promise<SequenceWithWarnings> {
  return withWarnings(ctx, await getSequence(ctx, name))
}

export async function createSequence(ctx: Context, input: NewSequence): Promise<SequenceWithWarnings> {
  const make = async (ctx: Context) => {
    const made = newSequence(input, { id: ctx.newId(), at: ctx.now() })
    await check(ctx, made)
    if (made.status === 'ACTIVE') {
      const found = await unsendable(ctx, made.steps)
      if (input.status === 'ACTIVE') refuseObstacles(found)
      // Nobody asked for it to begin: it waits as a draft until what is said in its warnings is put right.
      else if (found.length > 0) made.status = 'DRAFT'
    }
    if (await store.findIdOf(ctx, made.sequence_id)) throw taken(made.sequence_id)
    records.insert(ctx, made)
    store.saveVersion(ctx, made.id, made)
    record(ctx, sequenceEvents.created, records.about(made), { sequence: filledFields(made) })
    return made
  }
  // Of those who come with the same name in the same moment, the database lets one in.
  const sequence = await ctx.transaction(make).catch((error: unknown) => {
    throw isTaken(error) ? taken(input.sequence_id!) : error
  })
  return withWarnings(ctx, sequence)
}

/**
 * New steps of a draft replace the old ones; for a sequence that has been active they are a new version, and
 * enrolled leads stay on theirs.
 */
export async function changeSequence(
  ctx: Context,
  name: string,
  input: SequenceChange,
  ifMatch?: string,
): Promise<SequenceWithWarnings> {
  const sequence = await ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, await idOf(ctx, name), ifMatch)
    const { settings, steps, ...fields } = input
    const wanted = {
      ...before,
      ...fields,
      ...(settings && { settings: { ...before.settings, ...settings } }),
      ...(steps && { steps: steps.map(tidyStep) }),
    }
    refuseBackToDraft(before, wanted)
    await check(ctx, wanted)
    const isRewritten = steps !== undefined && JSON.stringify(before.steps) !== JSON.stringify(wanted.steps)
    if (wanted.status === 'ACTIVE') {
      if (before.status !== 'ACTIVE') refuseObstacles(await obstaclesIn(ctx, wanted.steps))
      else if (isRewritten) refuseObstacles(await unsendable(ctx, wanted.steps))
    }
    const begun = before.status !== 'DRAFT'
    if (isRewritten && begun) wanted.version = before.version + 1
    const changed = records.change(ctx, before, wanted)
    if (isRewritten) store.saveVersion(ctx, changed.id, changed)
    return changed
  })
  return withWarnings(ctx, sequence)
}

/** Enrolled leads wait; nothing is sent. */
export async function trashSequence(ctx: Context, name: string, ifMatch?: string): Promise<void> {
  await records.trash(ctx, await idOf(ctx, name), ifMatch)
}

/** It does not start sending again automatically. */
export async function restoreSequence(ctx: Context, name: string): Promise<SequenceWithWarnings> {
  const restored = await records.restore(ctx, await idOf(ctx, name), (_, { status }) =>
    status === 'ACTIVE' ? { status: 'PAUSED' } : {},
  )
  return withWarnings(ctx, restored)
}

export async function listVersions(ctx: Context, name: string): Promise<SequenceVersion[]> {
  const { id } = await getSequence(ctx, name)
  return store.listVersions(ctx, id)
}

/** The steps of a version. Once a sequence has begun its versions never change, and are remembered. */
export async function stepsOf(ctx: Context, sequence: Sequence, version: number): Promise<Step[]> {
  const key = `${ctx.team_id} ${sequence.id} ${version}`
  const known = rememberedIn(ctx.runtime)
  const steps = known.get(key) ?? (await store.findVersion(ctx, sequence.id, version)) ?? []
  if (sequence.status !== 'DRAFT') {
    if (known.size >= VERSIONS_REMEMBERED_MAX) known.clear()
    known.set(key, steps)
  }
  return steps
}

/** What keeps a sequence from doing its work, without being a fault of its own. */
export async function warningsOf(ctx: Context, steps: readonly Step[]): Promise<Warning[]> {
  return (await obstaclesIn(ctx, steps)).map(({ path, message }) => ({ path, message }))
}

/** Of those, what keeps anybody from being enrolled. What a text says of earlier mails may be true of these leads. */
export async function enrolmentObstacles(ctx: Context, steps: readonly Step[]): Promise<Obstacle[]> {
  return (await obstaclesIn(ctx, steps)).filter(({ kind }) => kind !== 'earlier_mail')
}

/** A template may still come: until it does nobody can be enrolled. Everything else would go out wrong. */
async function unsendable(ctx: Context, steps: readonly Step[]): Promise<Obstacle[]> {
  return (await obstaclesIn(ctx, steps)).filter(({ kind }) => kind !== 'no_template')
}

const VERSIONS_REMEMBERED_MAX = 1_000
const remembered = new WeakMap<Runtime, Map<string, Step[]>>()

function rememberedIn(runtime: Runtime): Map<string, Step[]> {
  let known = remembered.get(runtime)
  if (!known) remembered.set(runtime, (known = new Map()))
  return known
}

async function withWarnings(ctx: Context, sequence: Sequence): Promise<SequenceWithWarnings> {
  return { ...sequence, warnings: await warningsOf(ctx, sequence.steps) }
}

async function idOf(ctx: Context, name: string): Promise<string> {
  const id = (await store.findIdOf(ctx, name)) ?? (isId(name) ? name : undefined)
  if (id === undefined) throw new Problem('not_found', 'No such sequence.')
  return id
}

async function check(ctx: Context, { steps, settings }: Sequence): Promise<void> {
  const custom = (await recentSettings(ctx)).custom_fields.map(({ key }) => key)
  const faults = [...stepFaults(steps, custom), ...settingsFaults(settings)]
  if (faults.length > 0) throw invalid(faults)
}

function refuseBackToDraft(before: Sequence, wanted: Sequence): void {
  if (wanted.status !== 'DRAFT' || before.status === 'DRAFT') return
  throw new Problem(
    'conflict',
    'A sequence that has been active cannot become a draft again. Pause it instead.',
    {
      code: 'sequence_has_begun',
    },
  )
}

/** By the words of the error: from a shard they are all there is, and its index has a number behind its name. */
function isTaken(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '23505' && /"sequences_by_sequence_id(_\d+)?"/.test(message ?? '')
}

function taken(sequence_id: string): Problem {
  return new Problem('conflict', `There is already a sequence with the sequence_id ${sequence_id}.`, {
    code: 'sequence_id_taken',
  })
}
