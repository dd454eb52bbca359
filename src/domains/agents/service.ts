import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { listPage, type Listing } from '#platform/listing.ts'
import { filledFields } from '#platform/records.ts'
import { checkWebhookUrl } from '#domains/deliveries/service.ts'
import { connectTools, disconnectTools, toolEndpoints } from './custom-tools.ts'
import {
  agentEvents,
  type Agent,
  type AgentChange,
  type AgentSession,
  type ListAgents,
  type NewAgent,
} from './contract.ts'
import { keepListing, pruneListings } from './listings.ts'
import { checkOffer, checkSpeaking, newAgent, tidy, versionChanges, versionOf } from './model.ts'
import { freeNumber, keepNumber, numberAgain } from './numbers.ts'
import { voiceSession } from './session.ts'
import { agentColumns, records } from './store.ts'
import { customTools } from './tools.ts'
import { insertVersion } from './version-store.ts'

type Sort = 'name' | 'created_at' | 'updated_at'
const listing: Listing<Sort> = {
  table: 'agents',
  columns: agentColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listAgents(ctx: Context, query: ListAgents) {
  const { listed } = query
  return listPage<Agent, Sort>(ctx, listing, query, listed === undefined ? [] : [sql`listed = ${listed}`])
}

export const getAgent = records.get

/** Whatever its state: an agent sold while it was listed is delivered even from the trash. */
export const findAgent = records.find
export const findAgents = records.findAll

/** What a model is told to be this agent; its own tools with where they are signed. */
export async function readSession(ctx: Context, id: string): Promise<AgentSession> {
  const agent = await getAgent(ctx, id)
  const endpoints = hasOwnTools(agent) ? await toolEndpoints(ctx, agent) : []
  const webhooks = [...endpoints].map(([tool, endpoint_id]) => ({ tool, endpoint_id }))
  const { tools, ...session } = voiceSession(agent)
  return { ...session, tools: [...tools], webhooks }
}

export async function createAgent(ctx: Context, input: NewAgent): Promise<Agent> {
  return ctx.transaction(async ctx => {
    const agent = newAgent(tidy(input), { id: ctx.newId(), at: ctx.now() })
    checkOffer(agent, currencyOf(ctx))
    checkTools(agent)
    if (agent.phone_number !== null) await keepNumber(ctx, agent)
    records.insert(ctx, agent)
    keepVersion(ctx, agent)
    record(ctx, agentEvents.created, records.about(agent), { agent: filledFields(agent) })
    if (hasOwnTools(agent)) await connectTools(ctx, agent)
    if (agent.listed) await keepListing(ctx, agent)
    return agent
  })
}

export async function changeAgent(
  ctx: Context,
  id: string,
  input: AgentChange,
  ifMatch?: string,
): Promise<Agent> {
  return ctx.transaction(async ctx => {
    const agent = await records.getForChange(ctx, id, ifMatch)
    const fields = tidy(input)
    const wanted = { ...agent, ...fields }
    if ('price' in fields || fields.listed) checkOffer(wanted, currencyOf(ctx))
    if (['tools', 'transfer_to', 'outbound', 'text'].some(field => field in fields)) checkTools(wanted)
    if (wanted.phone_number !== agent.phone_number) await keepNumber(ctx, wanted)
    const isNew = versionChanges(versionOf(agent), versionOf(wanted)).length > 0
    const changed = records.change(ctx, agent, { ...fields, ...(isNew && { version: agent.version + 1 }) })
    if (isNew) {
      keepVersion(ctx, changed)
      if (hasOwnTools(agent) || hasOwnTools(changed)) await connectTools(ctx, changed)
    }
    if (agent.listed || changed.listed) await keepListing(ctx, changed)
    return changed
  })
}

/** Its number is free at once, and nobody asks its tools any more. */
export async function trashAgent(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const agent = await records.trash(ctx, id, ifMatch)
    freeNumber(ctx, id)
    if (hasOwnTools(agent)) await disconnectTools(ctx, agent)
    if (agent.listed) await keepListing(ctx, agent)
  })
}

/** What comes back is not for sale by that alone, and has its number where nobody took it meanwhile. */
export async function restoreAgent(ctx: Context, id: string): Promise<Agent> {
  return ctx.transaction(async ctx => {
    const restored = await records.restore(ctx, id, async (ctx, agent) => ({
      listed: false,
      phone_number: await numberAgain(ctx, agent),
    }))
    if (hasOwnTools(restored)) await connectTools(ctx, restored)
    return restored
  })
}

export async function purgeAgents(ctx: Context): Promise<number> {
  const purged = await records.purge(ctx)
  await pruneListings(ctx)
  return purged
}

function keepVersion(ctx: Context, agent: Agent): void {
  const { id, version, updated_at: created_at } = agent
  insertVersion(ctx, id, { version, agent: versionOf(agent), changed_by: ctx.actor.name, created_at })
}

function checkTools(agent: Agent): void {
  checkSpeaking(agent)
  for (const [at, tool] of agent.tools.entries())
    if (typeof tool !== 'string') checkWebhookUrl(tool.url, `tools[${at}].url`)
}

function hasOwnTools(agent: Agent): boolean {
  return customTools(agent).length > 0
}

function currencyOf({ runtime }: Context): string | undefined {
  return runtime.ports.chain?.terms.currency
}
