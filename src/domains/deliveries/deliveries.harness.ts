import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Person } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { startHttps } from '#test/https.ts'
import type { DeliveryWithAttempts, WebhookEndpoint } from './contract.ts'
import { connectEndpoint, deliver, findEndpointOf, type Owner } from './service.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** `down`: the connection is cut. `hang`: nothing ever comes. */
export type Reaction =
  | 'down'
  | 'hang'
  | { status: number; body?: string | Buffer; headers?: Record<string, string> }

/** Somebody else's server, which does what a test tells it. Each path is a receiver of its own. */
export async function startReceiver() {
  const received: Received[] = []
  const reactions = new Map<string, Reaction | ((request: Received) => Promise<Reaction> | Reaction)>()
  const server = await startHttps(async (request, response) => {
    const seen = { path: request.url!, headers: request.headers, body: await text(request) }
    received.push(seen)
    const set = reactions.get(seen.path) ?? { status: 200 }
    react(response, typeof set === 'function' ? await set(seen) : set)
  })
  return {
    url: server.url,
    to: (path: string) => received.filter(request => request.path === path),
    set: (path: string, reaction: Reaction | ((request: Received) => Promise<Reaction> | Reaction)) =>
      void reactions.set(path, reaction),
    close: () => server.close(),
  }
}

function react(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'hang') return
  if (reaction === 'down') return void response.socket?.destroy()
  response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? '')
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A form that does not exist yet, told at an address of its own. */
export async function connected(person: Person, url: string, name = 'Contact us'): Promise<WebhookEndpoint> {
  const owner: Owner = { kind: 'form', id: newId() }
  await person.ctx.transaction(ctx => connectEndpoint(ctx, owner, { name, url }))
  return (await findEndpointOf(person.ctx, owner))!
}

export async function send(
  person: Person,
  { owner }: WebhookEndpoint,
  data: Record<string, unknown> = { answer: 42 },
  event_id = newId(),
): Promise<string> {
  const told = { event_id, type: 'form.submitted', data }
  return (await person.ctx.transaction(ctx => deliver(ctx, owner, told)))!
}

export async function readDelivery(person: Person, id: string): Promise<DeliveryWithAttempts> {
  const { status, body } = await person.browser.get(`/api/webhooks/deliveries/${id}`)
  expect(status).toBe(200)
  return body
}

/** What the API says of it once it has been tried so often. */
export async function afterAttempts(person: Person, id: string, count: number) {
  return eventually(async () => {
    const delivery = await readDelivery(person, id)
    expect(delivery.attempts).toBe(count)
    return delivery
  })
}

export async function readEndpoint(person: Person, id: string): Promise<WebhookEndpoint> {
  return (await person.browser.get(`/api/webhooks/endpoints/${id}`)).body
}

export async function secretOf(person: Person, id: string): Promise<string> {
  return (await person.browser.get(`/api/webhooks/endpoints/${id}/secret`)).body.secret
}

/** The judge: throws when the signature does not hold. The library looks at the clock of the machine. */
export function verify(secret: string, { headers, body }: Received): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}
