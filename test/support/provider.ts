import { Webhook } from 'standardwebhooks'
import { newId } from '#platform/ids.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { Reply } from './client.ts'
import { webhookSecret } from './webhook-secret.ts'

export const webhookPaths: Record<SignedEndpoint, string> = {
  payment: '/api/webhooks/payment',
  voice: '/api/voice/engage/webhook',
  email: '/api/email/webhook',
  realtime: '/api/realtime/webhook',
}

type Sending = {
  id?: string
  at?: Date
  secret?: string
  /** `svix` for the older names of the same headers. */
  prefix?: 'webhook' | 'svix'
  query?: string
}

/** The headers a provider sends, signed by the library that judges us. */
export function signed(
  endpoint: SignedEndpoint,
  body: string,
  sending: Sending = {},
): Record<string, string> {
  const {
    id = `msg_${newId()}`,
    at = new Date(),
    secret = webhookSecret(endpoint),
    prefix = 'webhook',
  } = sending
  return {
    'content-type': 'application/json',
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, at, body),
  }
}

/** What a provider does when something happened. */
export async function tell(
  url: string,
  endpoint: SignedEndpoint,
  event: unknown,
  sending: Sending = {},
): Promise<Reply> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return post(url + webhookPaths[endpoint] + (sending.query ?? ''), body, signed(endpoint, body, sending))
}

export async function post(address: string, body: string, headers: Record<string, string>): Promise<Reply> {
  const response = await fetch(address, { method: 'POST', body, headers })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? JSON.parse(text) : undefined,
  }
}
