import type { DeliveryEvent, DeliveryLog } from '#platform/ports/delivery-log.ts'
import { callProvider, parsed } from '#platform/provider-call.ts'

const LABEL = 'Resend'
const CALL_TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 1024 * 1024
const PAGE_SIZE_MAX = 100
const PAGES_MAX = 50

/**
 * The last event implies the earlier ones: a click is also an open. Messages in progress or never sent report
 * nothing.
 */
const types = new Map<unknown, DeliveryEvent['type']>([
  ['delivered', 'delivered'],
  ['bounced', 'bounced'],
  ['opened', 'opened'],
  ['clicked', 'opened'],
  ['complained', 'complained'],
])

export type ResendOptions = { apiKey: string; baseUrl: string }
export type ResendLimits = { timeoutMs?: number }

export function openResendLog(
  { apiKey, baseUrl }: ResendOptions,
  { timeoutMs = CALL_TIMEOUT_MS }: ResendLimits = {},
): DeliveryLog {
  const list = `${baseUrl.replace(/\/+$/, '')}/emails`

  async function readPage(limit: number, after?: string): Promise<Page> {
    const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) })
    const { status, body } = await callProvider(LABEL, `${list}?${query}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
    })
    if (status === 401 || status === 403) throw new Error(`${LABEL} rejected the API key (${status})`)
    const page = parsed<{ data: unknown; has_more: unknown }>(body)
    if (status !== 200 || !Array.isArray(page?.data)) throw new Error(`${LABEL} answered ${status}`)
    return { mails: page.data as Listed[], more: page.has_more === true }
  }

  return {
    kind: 'resend',
    async read(since, limit) {
      const from = Date.parse(since)
      const events: DeliveryEvent[] = []
      let after: string | undefined
      for (let seen = 0, pages = 0; seen < limit && pages < PAGES_MAX; pages++) {
        const { mails, more } = await readPage(Math.min(PAGE_SIZE_MAX, limit - seen), after)
        // Newest first: the first that is too old is followed by older ones only.
        const recent = mails.filter(mail => Date.parse(momentOf(mail)) >= from)
        events.push(...recent.flatMap(eventOf))
        seen += mails.length
        const last = mails.at(-1)?.id
        if (!more || recent.length < mails.length || typeof last !== 'string') break
        after = last
      }
      return events
    },
    async check() {
      await readPage(1)
    },
  }
}

type Page = { mails: Listed[]; more: boolean }

type Listed = Partial<{
  id: unknown
  message_id: unknown
  to: unknown
  subject: unknown
  created_at: unknown
  last_event: unknown
}>

function eventOf(mail: Listed): DeliveryEvent[] {
  const type = types.get(mail.last_event)
  const to: unknown = Array.isArray(mail.to) ? mail.to[0] : mail.to
  if (!type || typeof to !== 'string') return []
  return [
    {
      type,
      message_id: typeof mail.message_id === 'string' ? mail.message_id : null,
      provider_id: typeof mail.id === 'string' ? mail.id : null,
      to: bare(to),
      subject: typeof mail.subject === 'string' ? mail.subject : '',
      sent_at: new Date(momentOf(mail)).toISOString(),
    },
  ]
}

/** It writes times in two ways, and one of them (`2026-01-31 09:00:00.000000+00`) is no ISO date. */
function momentOf({ created_at }: Listed): string {
  return typeof created_at === 'string' ? created_at.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00') : ''
}

function bare(address: string): string {
  return /<([^>]+)>\s*$/.exec(address)?.[1] ?? address
}
