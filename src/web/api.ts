import type { endpoints as accounts } from '#domains/accounts/contract.ts'
import type { endpoints as agents } from '#domains/agents/contract.ts'
import type { endpoints as calls } from '#domains/calls/contract.ts'
import type { endpoints as chat } from '#domains/chat/contract.ts'
import type { endpoints as candidates } from '#domains/candidates/contract.ts'
import type { endpoints as audit } from '#domains/audit/contract.ts'
import type { endpoints as retention } from '#domains/retention/contract.ts'
import type { endpoints as conversations } from '#domains/conversations/contract.ts'
import type {
  agentEndpoints as conversationAgents,
  mailboxEndpoints as conversationMailboxes,
  settingsEndpoints as conversationSettings,
  whatsappEndpoints as whatsapp,
} from '#domains/conversations/contract.ts'
import type { endpoints as credits } from '#domains/credits/contract.ts'
import type { endpoints as deliveries } from '#domains/deliveries/contract.ts'
import type { endpoints as enrolments } from '#domains/enrolments/contract.ts'
import type { endpoints as fields } from '#domains/fields/contract.ts'
import type { endpoints as forms } from '#domains/forms/contract.ts'
import type { endpoints as home } from '#domains/home/contract.ts'
import type { endpoints as identity } from '#domains/identity/contract.ts'
import type { endpoints as imports } from '#domains/imports/contract.ts'
import type { endpoints as invoices } from '#domains/invoices/contract.ts'
import type { endpoints as leads } from '#domains/leads/contract.ts'
import type { endpoints as erasures } from '#domains/erasures/contract.ts'
import type { endpoints as mailboxes } from '#domains/mailboxes/contract.ts'
import type { endpoints as meetings } from '#domains/meetings/contract.ts'
import type { endpoints as messages } from '#domains/messages/contract.ts'
import type { endpoints as notifications } from '#domains/notifications/contract.ts'
import type { endpoints as oauth } from '#domains/oauth/contract.ts'
import type { endpoints as operations } from '#domains/operations/contract.ts'
import type { endpoints as opportunities } from '#domains/opportunities/contract.ts'
import type { endpoints as projects } from '#domains/projects/contract.ts'
import type { endpoints as search } from '#domains/search/contract.ts'
import type { endpoints as sequences } from '#domains/sequences/contract.ts'
import type { endpoints as softphone } from '#domains/softphone/contract.ts'
import type { endpoints as suppressions } from '#domains/suppressions/contract.ts'
import type { endpoints as templates } from '#domains/templates/contract.ts'
import type { endpoints as views } from '#domains/views/contract.ts'
import type { endpoints as webhooks } from '#domains/webhooks/contract.ts'
import type { endpoints as workflows } from '#domains/workflows/contract.ts'
import type { Endpoint, Input, Output, TSchema } from '#platform/contract.ts'
import { signInPath } from './paths.ts'
import { ApiProblem, problemFrom } from './problem.ts'
import { stringifySearch } from './search-text.ts'

/**
 * `api('PATCH /api/crm/leads/:id', { params: { id }, body, ifMatch: lead.updated_at })`. Contracts are imported as
 * types only: the bundle carries no schemas.
 */
export async function api<K extends keyof ByKey & string>(
  key: K,
  ...rest: Rest<ByKey[K]>
): Promise<Output<ByKey[K]>> {
  const request = (rest[0] ?? {}) as Loose
  const [method, path] = key.split(' ') as [string, string]
  const response = await send(
    method,
    fill(path, request.params) + stringifySearch(request.query ?? {}),
    request,
  )
  if (response.status === 401) leaveToSignIn()
  if (!response.ok) throw await problemFrom(response)
  return (response.status === 204 ? undefined : await response.json()) as Output<ByKey[K]>
}

type Of<Endpoints> = Endpoints[keyof Endpoints]
type Every =
  | Of<typeof accounts>
  | Of<typeof agents>
  | Of<typeof calls>
  | Of<typeof candidates>
  | Of<typeof chat>
  | Of<typeof conversations>
  | Of<typeof conversationAgents>
  | Of<typeof conversationMailboxes>
  | Of<typeof conversationSettings>
  | Of<typeof whatsapp>
  | Of<typeof credits>
  | Of<typeof deliveries>
  | Of<typeof enrolments>
  | Of<typeof erasures>
  | Of<typeof fields>
  | Of<typeof forms>
  | Of<typeof messages>
  | Of<typeof notifications>
  | Of<typeof sequences>
  | Of<typeof softphone>
  | Of<typeof suppressions>
  | Of<typeof templates>
  | Of<typeof webhooks>
  | Of<typeof workflows>
  | Of<typeof home>
  | Of<typeof imports>
  | Of<typeof invoices>
  | Of<typeof opportunities>
  | Of<typeof projects>
  | Of<typeof search>
  | Of<typeof audit>
  | Of<typeof retention>
  | Of<typeof identity>
  | Of<typeof leads>
  | Of<typeof mailboxes>
  | Of<typeof meetings>
  | Of<typeof oauth>
  | Of<typeof operations>
  | Of<typeof views>
type ByKey = { [E in Every as `${E['method']} ${E['path']}`]: E }

type Rest<E extends Endpoint> = object extends Request<E> ? [request?: Request<E>] : [request: Request<E>]
type Request<E extends Endpoint> = (E extends { params: TSchema }
  ? { params: Input<E>['params'] }
  : unknown) &
  (E extends { query: TSchema } ? { query?: Input<E>['query'] } : unknown) &
  (E extends { body: TSchema } ? { body: Input<E>['body'] } : unknown) & {
    /** The `updated_at` of the record as loaded; the server rejects the change if it is no longer current. */
    ifMatch?: string
    /** A POST that changes nothing: the server need not store its response for a retry. */
    changesNothing?: true
    signal?: AbortSignal
  }
type Loose = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  ifMatch?: string
  changesNothing?: true
  signal?: AbortSignal
}

const RETRY_AFTER_MS = 600

async function send(method: string, address: string, request: Loose): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  if (request.ifMatch) headers['if-match'] = etag(request.ifMatch)
  if (method === 'POST' && !request.changesNothing) headers['idempotency-key'] = newKey()
  const init: RequestInit = { method, headers, credentials: 'same-origin' }
  if (request.body !== undefined) init.body = JSON.stringify(request.body)
  if (request.signal) init.signal = request.signal
  try {
    // The key makes a POST safe to retry when the connection broke and it may have arrived.
    return await fetch(address, init).catch(error =>
      method === 'POST' ? again(address, init, error) : Promise.reject(error),
    )
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
  }
}

async function again(address: string, init: RequestInit, error: unknown): Promise<Response> {
  if (init.signal?.aborted) throw error
  await new Promise(resolve => setTimeout(resolve, RETRY_AFTER_MS))
  return fetch(address, init)
}

function fill(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

export function etag(updatedAt: string): string {
  return `"${Date.parse(updatedAt).toString(36)}"`
}

/** `crypto.randomUUID` is missing on plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

let leaving = false

export function leaveToSignIn(): void {
  if (leaving) return
  leaving = true
  location.assign(signInPath())
}
