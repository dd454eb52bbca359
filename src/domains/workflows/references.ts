import type { Context } from '#platform/context.ts'
import { isMember } from '#domains/identity/members.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { findTemplates } from '#domains/templates/service.ts'
import type { Warning } from './contract.ts'
import { walkSafely, type Definition, type Node } from './definition.ts'
import { isKnownTrigger } from './triggers.ts'

type Named = { path: string; name: string }

/** What keeps a workflow from doing its work without being a fault of its own: what it names is not there, or not yet. */
export async function warningsOf(ctx: Context, { trigger, nodes }: Definition): Promise<Warning[]> {
  const all = [...walkSafely(nodes)]
  const templates = all.flatMap(({ path, node }) => named(path, node, 'template'))
  const people = all.flatMap(({ path, node }) => [
    ...named(path, node, 'assignee_id'),
    ...named(path, node, 'member'),
    ...named(path, node, 'members'),
    ...named(path, node, 'to').filter(({ name }) => /^[0-9a-f]{24}$/.test(name)),
  ])
  const [missing, gone, stages] = await Promise.all([
    missingTemplates(ctx, templates),
    missingPeople(ctx, people),
    missingStages(ctx, all),
  ])
  const unheard = isKnownTrigger(trigger)
    ? []
    : [{ path: 'trigger', message: 'No provider sends this event to Rapport.' }]
  return [...unheard, ...missing, ...gone, ...stages]
}

async function missingTemplates(ctx: Context, all: readonly Named[]): Promise<Warning[]> {
  if (all.length === 0) return []
  const found = new Set(
    (await findTemplates(ctx, [...new Set(all.map(({ name }) => name))])).map(({ name }) => name),
  )
  return all
    .filter(({ name }) => !found.has(name))
    .map(({ path, name }) => ({ path, message: `There is no template called ${name} yet.` }))
}

async function missingPeople(ctx: Context, all: readonly Named[]): Promise<Warning[]> {
  const known = new Map<string, boolean>()
  for (const { name } of all) if (!known.has(name)) known.set(name, await isMember(ctx, name))
  return all
    .filter(({ name }) => !known.get(name))
    .map(({ path }) => ({ path, message: 'This person is not a member of this team.' }))
}

async function missingStages(ctx: Context, all: readonly { path: string; node: Node }[]): Promise<Warning[]> {
  const { pipeline_stages } = await recentSettings(ctx)
  return all.flatMap(({ path, node }) => {
    if (node.type !== 'action' || node.action !== 'update_field') return []
    const isStage =
      (node.record ?? 'lead') === 'lead' && /^(?:lead\.)?pipeline_stage$/.test(String(node.field))
    const { value } = node
    if (!isStage || typeof value !== 'string' || value.includes('{{') || pipeline_stages.includes(value))
      return []
    return [{ path: `${path}.value`, message: `There is no pipeline stage called ${value}.` }]
  })
}

function named(path: string, node: Node, key: string): Named[] {
  const value = (node as Record<string, unknown>)[key]
  if (node.type !== 'action') return []
  if (typeof value === 'string') return [{ path: `${path}.${key}`, name: value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((one, at) =>
    typeof one === 'string' ? [{ path: `${path}.${key}[${at}]`, name: one }] : [],
  )
}
