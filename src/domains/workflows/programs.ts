import type { Context, Runtime } from '#platform/context.ts'
import { compile, type Program } from './state.ts'
import * as store from './store.ts'

const PROGRAMS_REMEMBERED_MAX = 1_000
const remembered = new WeakMap<object, Map<string, Program>>()

/** What a version does, ready to run. Versions never change, and are remembered. */
export async function programOf(ctx: Context, workflow_id: string, version: number): Promise<Program> {
  const known = rememberedIn(ctx.runtime)
  const key = `${ctx.team_id} ${workflow_id} ${version}`
  const program = known.get(key)
  if (program) return program
  const found = await store.findVersion(ctx, workflow_id, version)
  if (!found) throw new Error(`version ${version} of workflow ${workflow_id} is gone`)
  if (known.size >= PROGRAMS_REMEMBERED_MAX) known.clear()
  const compiled = compile(found.definition.nodes)
  known.set(key, compiled)
  return compiled
}

/** By the process's registry: each job has a runtime of its own, which differs in its pool. */
function rememberedIn({ registry }: Runtime): Map<string, Program> {
  let known = remembered.get(registry)
  if (!known) remembered.set(registry, (known = new Map()))
  return known
}
