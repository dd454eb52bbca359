import { createHash } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { ask, connectEndpoint, disconnectAll, findEndpointParts } from '#domains/deliveries/service.ts'
import type { Agent } from './contract.ts'
import { customTools } from './tools.ts'

const ANSWER_LENGTH_MAX = 4_000
const TYPE = 'agent.tool_call'

/** In the transaction of the agent's change: where its own tools are asked, each signed by a secret of its own. */
export async function connectTools(ctx: Context, agent: Agent): Promise<void> {
  const wanted = customTools(agent)
  const known = await findEndpointParts(ctx, ownerOf(agent))
  for (const part of known.keys())
    if (!wanted.some(({ name }) => name === part)) await connectEndpoint(ctx, ownerOf(agent, part), null)
  for (const { name, url } of wanted)
    await connectEndpoint(ctx, ownerOf(agent, name), { name: `${agent.name}: ${name}`, url })
}

export async function disconnectTools(ctx: Context, agent: Pick<Agent, 'id'>): Promise<void> {
  await disconnectAll(ctx, ownerOf(agent))
}

/** The webhook endpoints of its own tools, by their names. */
export async function toolEndpoints(ctx: Context, agent: Pick<Agent, 'id'>): Promise<Map<string, string>> {
  return findEndpointParts(ctx, ownerOf(agent))
}

/** The call or conversation in which a tool is asked for; `ref` is what the asking is called there. */
export type Asking = { in?: 'call' | 'conversation'; id: string; ref: string; lead_id?: string | null }

/**
 * Asks the team's own service while the caller waits, outside any transaction. What the model is told comes back whatever
 * happens: somebody is on the phone. Asked again with the same `ref`, the service sees the same webhook-id.
 */
export async function askTool(
  ctx: Context,
  agent: Pick<Agent, 'id' | 'name' | 'version'>,
  tool: string,
  args: Record<string, unknown>,
  asking: Asking,
): Promise<{ ok: boolean; text: string }> {
  const { id, name, version } = agent
  const data = {
    agent: { id, name, version },
    tool,
    arguments: args,
    [asking.in ?? 'call']: { id: asking.id, lead_id: asking.lead_id ?? null },
  }
  try {
    const answer = await ask(ctx, ownerOf(agent, tool), { event_id: askingId(asking), type: TYPE, data })
    if (!answer) return failed('This tool no longer exists.')
    if (answer.error !== null) return failed(`The tool's service did not respond: ${answer.error}`)
    if (!answer.delivered) return failed(`The tool's service returned status ${answer.response_status}.`)
    return { ok: true, text: fitToTell(answer.response_body ?? '') || 'Done.' }
  } catch (error) {
    ctx.log.error({ err: error, agent_id: id, tool }, 'a custom tool could not be called')
    return failed('Something went wrong. Try again later.')
  }
}

function ownerOf({ id }: Pick<Agent, 'id'>, part?: string) {
  return { kind: 'agent' as const, id, ...(part !== undefined && { part }) }
}

/** A provider's `ref` may contain anything; a header value may not. */
function askingId({ id, ref }: Asking): string {
  return createHash('sha256').update(`${id} ${ref}`).digest('hex').slice(0, 32)
}

function fitToTell(body: string): string {
  return body.trim().slice(0, ANSWER_LENGTH_MAX).toWellFormed()
}

function failed(text: string): { ok: false; text: string } {
  return { ok: false, text: text.slice(0, ANSWER_LENGTH_MAX) }
}
