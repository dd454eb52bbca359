import { readPhone } from '#platform/phone.ts'

const HEADERS_MAX = 100
const NAME_LENGTH_MAX = 100
const VALUE_LENGTH_MAX = 1_000
const CALL_NAME_LENGTH_MAX = 200
/**
 * The headers that may contain the number that was called: a trunk may put its own address into the first.
 */
const CALLED = ['to', 'p-called-party-id', 'diversion'] as const
const CALLER = ['from', 'p-asserted-identity'] as const

export type IncomingCall = {
  provider_call_id: string
  /** Numbers in international format. They come from the caller: good for finding, not for proving. */
  from: string | null
  to: string[]
  token: string | null
}

/** What an incoming call says of itself; undefined where it has no name. Everything in it is a stranger's text. */
export function readIncoming(data: Record<string, unknown>): IncomingCall | undefined {
  const name = data.call_id ?? data.callId
  if (typeof name !== 'string' || !/^[\w.:-]+$/.test(name) || name.length > CALL_NAME_LENGTH_MAX)
    return undefined
  const headers = headersOf(data.sip_headers ?? data.sipHeaders)
  const numbersIn = (names: readonly string[]) =>
    names.flatMap(header => numberIn(headers.get(header) ?? '') ?? [])
  return {
    provider_call_id: name,
    from: numbersIn(CALLER)[0] ?? null,
    to: numbersIn(CALLED),
    token: headers.get('x-rapport-call')?.trim() ?? null,
  }
}

/** Of several with one name the first counts. */
function headersOf(list: unknown): Map<string, string> {
  const headers = new Map<string, string>()
  if (!Array.isArray(list)) return headers
  for (const header of list.slice(0, HEADERS_MAX) as unknown[]) {
    const { name, value } = (header ?? {}) as { name?: unknown; value?: unknown }
    if (typeof name !== 'string' || typeof value !== 'string') continue
    if (name.length > NAME_LENGTH_MAX || value.length > VALUE_LENGTH_MAX) continue
    const key = name.trim().toLowerCase()
    if (!headers.has(key)) headers.set(key, value.replaceAll(/\p{Cc}+/gu, ' '))
  }
  return headers
}

/** `"Ada" <sip:+4930123456@trunk.example>;tag=1`, `tel:+49-30-123456` and what else comes. */
function numberIn(value: string): string | undefined {
  const [, digits] = /(?:sips?|tel):([+\d][\d\-.()]{5,24})(?=[@;>\s]|$)/i.exec(value) ?? []
  if (digits === undefined) return undefined
  const read = readPhone(digits.startsWith('+') ? digits : `+${digits}`)
  return 'value' in read ? read.value : undefined
}
