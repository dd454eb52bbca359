import { timingSafeEqual } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { isStorable, NOT_STORABLE } from '#platform/storable.ts'
import { invalidClient, oauthError } from './errors.ts'
import * as store from './store.ts'
import type { Redeemer } from './token-store.ts'

/** What a request says about who sends it: by HTTP Basic, in the body, or (a public client) by its id alone. */
export type ClientProof = Redeemer & { method: 'basic' | 'post' | 'none' }

/** Reads the proof without judging it: on the hot path the redeeming statement itself does. */
export function proofOf(fields: Record<string, string>, authorization: string | undefined): ClientProof {
  const basic = authorization === undefined ? undefined : basicOf(authorization)
  if (basic && fields.client_secret !== undefined)
    throw oauthError('invalid_request', 'Send the client secret only once: by HTTP Basic or in the body.')
  if (basic && fields.client_id !== undefined && fields.client_id !== basic.id)
    throw oauthError('invalid_request', 'client_id does not match the one in HTTP Basic.')
  const client_id = basic?.id ?? fields.client_id
  if (client_id === undefined) throw oauthError('invalid_request', 'client_id is missing.')
  const secret = basic?.secret ?? fields.client_secret
  return {
    client_id,
    secret_hash: secret === undefined ? null : hashOf(secret),
    method: basic ? 'basic' : secret === undefined ? 'none' : 'post',
  }
}

/** The client, where the proof holds. A public client has no secret, and so none that could be right. */
export async function authenticateClient(ctx: Context, proof: ClientProof): Promise<store.ClientRow> {
  const client = await store.findClient(ctx, proof.client_id)
  if (!client) throw invalidClient('Unknown client.')
  if (!isSame(client.secret_hash, proof.secret_hash))
    throw invalidClient(
      client.secret_hash === null
        ? 'This client is public: it has no secret.'
        : proof.secret_hash === null
          ? 'This client must authenticate with its secret.'
          : 'The client secret is wrong.',
    )
  return client
}

function isSame(known: string | null, given: string | null): boolean {
  if (known === null || given === null) return known === given
  return timingSafeEqual(Buffer.from(known), Buffer.from(given))
}

/** RFC 6749, 2.3.1: both halves are form-encoded before they are joined. */
function basicOf(authorization: string): { id: string; secret: string } {
  const match = /^basic ([A-Za-z0-9+/=]+)$/i.exec(authorization.trim())
  const text = match ? Buffer.from(match[1]!, 'base64').toString() : ''
  const at = text.indexOf(':')
  if (at < 1) throw invalidClient('Authorization must be Basic with client ID and secret.')
  const [id, secret] = [decoded(text.slice(0, at)), decoded(text.slice(at + 1))]
  if (!isStorable(id)) throw oauthError('invalid_request', `The client id ${NOT_STORABLE}.`)
  return { id, secret }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    throw invalidClient('Authorization cannot be decoded.')
  }
}
