import type { Context } from '#platform/context.ts'
import { OutboundError, safeFetch } from '#platform/safe-fetch.ts'
import { allScopes, isScope, type Scope } from '#platform/scopes.ts'
import { faultOfRedirectUri } from './redirect-uri.ts'
import { scopesIn } from './request.ts'
import * as store from './store.ts'
import { REDIRECT_URIS_MAX } from './values.ts'

const DOCUMENT_BYTES_MAX = 5 * 1024
const DOCUMENT_TIMEOUT_MS = 5_000
const ADDRESS_LENGTH_MAX = 500
const NAME_LENGTH_MAX = 100
/** So long is a description taken as it was; a client that changes is known by its new one soon enough. */
const DOCUMENT_LIFE_MS = 60 * 60_000

/** A client id that is the https address of the client's own description, with a path that says which client. */
export function isDocumentAddress(client_id: string): boolean {
  if (!client_id.startsWith('https://') || client_id.length > ADDRESS_LENGTH_MAX) return false
  const url = URL.canParse(client_id) ? new URL(client_id) : undefined
  if (!url || url.href !== client_id) return false
  return url.pathname !== '/' && !url.search && !url.hash && !url.username && !url.password
}

/** The client behind the address, or in words why there is none. */
export async function readDocumentClient(ctx: Context, address: string): Promise<store.ClientRow | string> {
  const known = await store.findClient(ctx, address)
  if (known?.fetched_at && known.fetched_at > ctx.in(-DOCUMENT_LIFE_MS)) return known
  const document = await fetchDocument(ctx, address)
  if (typeof document === 'string') return document
  const client = clientOf(ctx, address, document)
  if (typeof client === 'string') return client
  await store.putDocumentClient(ctx, client)
  return (await store.findClient(ctx, address))!
}

type Document = Record<string, unknown>

async function fetchDocument(ctx: Context, address: string): Promise<Document | string> {
  const asked = {
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    bytesMax: DOCUMENT_BYTES_MAX,
    headers: { accept: 'application/json' },
  }
  try {
    const { status, body } = await safeFetch(ctx.runtime.settings, address, asked)
    if (status !== 200) return `The app's metadata document could not be read: ${status}.`
    const document: unknown = JSON.parse(body)
    return typeof document === 'object' && document !== null && !Array.isArray(document)
      ? (document as Document)
      : "The app's metadata document is not a JSON object."
  } catch (error) {
    if (error instanceof OutboundError)
      return `The app's metadata document could not be read: ${error.message}`
    return "The app's metadata document is not JSON."
  }
}

function clientOf(ctx: Context, address: string, document: Document): store.ClientRow | string {
  if (document.client_id !== address) return "The app's metadata document belongs to another app."
  const { redirect_uris: uris, client_name, token_endpoint_auth_method: method = 'none', scope } = document
  if (method !== 'none') return 'An app with its own metadata document must be a public client.'
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX)
    return `The app's metadata document must have 1 to ${REDIRECT_URIS_MAX} redirect_uris.`
  if (!uris.every(uri => typeof uri === 'string' && faultOfRedirectUri(uri, { web: true }) === undefined))
    return "The app's metadata document has a redirect_uri that is not allowed."
  const at = ctx.now()
  return {
    id: address,
    team_id: null,
    source: 'document',
    name: nameFrom(client_name, new URL(address).host),
    redirect_uris: uris as string[],
    scopes: typeof scope === 'string' ? knownScopes(scope) : allScopes,
    secret_hash: null,
    created_by: null,
    fetched_at: at,
    created_at: at,
    updated_at: at,
  }
}

/** One line of printable text, whatever a stranger calls its app. */
export function nameFrom(given: unknown, otherwise: string): string {
  if (typeof given !== 'string') return otherwise
  const line = given
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH_MAX)
  return line || otherwise
}

export function knownScopes(text: string): Scope[] {
  return scopesIn(text).filter(isScope)
}
