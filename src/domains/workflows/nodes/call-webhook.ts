import { createHash } from 'node:crypto'
import { isRefusal } from '#platform/problem.ts'
import { checkWebhookUrl, connectEndpoint, deliver, type Owner } from '#domains/deliveries/service.ts'
import type { Done } from '../state.ts'
import type { Perform, Request } from './action.ts'
import { done, failed } from './answers.ts'
import type { Asked } from './asked.ts'

const TYPE = 'workflow.webhook'
const HASH_LENGTH = 24

type Call = Request<'call_webhook'>

export const perform: Perform<'call_webhook'> = async (_ctx, requests) => {
  const connected = new Set<string>()
  const answers: Done[] = []
  for (const request of requests) {
    const fault = faultIn(request.node.url!)
    if (fault) {
      answers.push(failed(given(request), fault))
      continue
    }
    const owner = ownerOf(request)
    const key = `${owner.id} ${owner.part}`
    // The first time it is called, or under another name than before.
    if (!connected.has(key))
      await connectEndpoint(request.ctx, owner, { name: request.workflow.name, url: request.node.url! })
    connected.add(key)
    answers.push(await call(request, owner))
  }
  return answers
}

export function given({ node }: Pick<Asked<'call_webhook'>, 'node'>) {
  return { url: node.url }
}

export function faultIn(url: string): string | undefined {
  try {
    checkWebhookUrl(url, 'url')
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

/** Each address of a workflow has a secret, a line and a log of its own. */
function ownerOf({ workflow, node }: Call): Owner {
  return { kind: 'workflow', id: workflow.id, part: hashOf(node.url!) }
}

async function call(request: Call, owner: Owner): Promise<Done> {
  const { ctx, key, workflow, run, path, lead, facts } = request
  const { id, name } = workflow
  const data = { workflow: { id, name }, run_id: run.id, node: path, lead, event: facts.event }
  const delivery_id = await deliver(ctx, owner, { event_id: hashOf(key), type: TYPE, data })
  return done(given(request), { delivery_id }, 'The webhook is queued. Attempts are listed under Webhooks.')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
}
