import type { CustomFetch, CustomFetchOptions } from 'openid-client'

export const CALL_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 512 * 1024

/** The provider is down, too slow or broken. Nobody was refused: the same person may come back in a minute. */
export class NoAnswer extends Error {}

/** Every call to one provider goes through here: bounded in time and bytes, and a failure says whose it is. */
export function boundedFetch(label: string, timeoutMs: number): CustomFetch {
  return async (url, options) => {
    const { status, headers, body } = await call(url, options, timeoutMs).catch((error: unknown) => {
      throw new NoAnswer(`${label} did not answer${reasonOf(error, timeoutMs)}`, { cause: error })
    })
    if (status >= 500 || status === 429) throw new NoAnswer(`${label} is unavailable (${status})`)
    return new Response(body, { status, headers })
  }
}

/** The library wraps our own failures in one of its own: this takes them out again, and lets any other be. */
export function throwSilence(error: unknown): void {
  if (error instanceof NoAnswer) throw error
  const { cause } = error as Error
  if (cause instanceof NoAnswer) throw cause
}

/** Without TLS only within this machine, for the issuers of tests. */
export function isLoopback(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function call(url: string, options: CustomFetchOptions, timeoutMs: number) {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { ...(options as RequestInit), signal })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  const { status, headers } = response
  return { status, headers, body: bytes > 0 ? Buffer.concat(chunks) : null }
}

/** What `fetch` says itself is "fetch failed"; the reason is below it. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return ` within ${timeoutMs / 1_000} seconds`
  const { message: below, code } = (cause ?? {}) as NodeJS.ErrnoException
  return `: ${below || code || message}`
}
