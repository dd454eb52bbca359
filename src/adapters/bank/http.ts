import { BankRefused, type Bank } from '#platform/ports/bank.ts'
import { callProvider, parsed, type ProviderAnswer } from '#platform/provider-call.ts'

const LABEL = 'The bank'
const CALL_TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 64 * 1024
const REFERENCE_LENGTH_MAX = 200

/** A no to the installation, or to this moment, and not to this invoice: it may be told again. */
const TELL_AGAIN = [401, 403, 404, 408, 409, 425, 429]

export type BankOptions = { url: string; token: string }
export type BankLimits = { timeoutMs?: number }

/**
 * `POST {url}/invoices` with the key of the invoice, under which the bank books it once; `{ "reference": "…" }` is its
 * answer. A call that nobody answered is made again: the key makes that harmless.
 */
export function openBank(
  { url, token }: BankOptions,
  { timeoutMs = CALL_TIMEOUT_MS }: BankLimits = {},
): Bank {
  const address = `${url.replace(/\/+$/, '')}/invoices`
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const bounds = { timeoutMs, bytesMax: ANSWER_BYTES_MAX }
  return {
    kind: 'http',
    async sync(invoice, key) {
      const answer = await callProvider(LABEL, address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(invoice),
        ...bounds,
      })
      return { reference: referenceIn(answer) }
    },
    async check() {
      const { status } = await callProvider(LABEL, address, { method: 'GET', headers, ...bounds })
      if (status === 401 || status === 403) throw new Error(`${LABEL} rejected the token`)
      // Whether it lists invoices is its own affair: that it answers as somebody who knows us is enough.
      if (status >= 500) throw new Error(`${LABEL} is unavailable (${status})`)
    },
    async close() {},
  }
}

function referenceIn({ status, body }: ProviderAnswer): string {
  const answer = parsed<{ reference: string; message: string; detail: string }>(body)
  if (status >= 200 && status < 300) {
    const reference = answer?.reference
    if (typeof reference === 'string' && reference !== '' && reference.length <= REFERENCE_LENGTH_MAX)
      return reference
    throw new Error(`${LABEL} answered ${status} without a reference`)
  }
  const words = [answer?.message, answer?.detail].find(each => typeof each === 'string') ?? 'no reason given'
  const message = `${LABEL} answered ${status}: ${words}`
  if (status >= 500 || status < 400 || TELL_AGAIN.includes(status)) throw new Error(message)
  throw new BankRefused(message)
}
