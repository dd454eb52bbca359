import { randomBytes } from 'node:crypto'
import { WHATSAPP_ADDRESS } from '#platform/values.ts'
import {
  WhatsAppRefused,
  WhatsAppUncertain,
  type WhatsApp,
  type WhatsAppFile,
  type WhatsAppMessage,
} from '#platform/ports/whatsapp.ts'
import {
  callForFile,
  callProvider,
  parsed,
  ProviderSilent,
  TooLarge,
  type ProviderAnswer,
} from '#platform/provider-call.ts'
import { isNoToUs, isPassing, meaningOf } from '#platform/whatsapp-errors.ts'
import { contentOf } from './content.ts'
import { listed, type GraphTemplate } from './listed.ts'

const LABEL = 'WhatsApp'
const CALL_TIMEOUT_MS = 15_000
/** Files are larger. */
const FILE_TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 64 * 1024
/** A page of templates has whole texts with examples. */
const TEMPLATES_BYTES_MAX = 4 * 1024 * 1024
const TEMPLATES_PER_PAGE = 100
/** More templates than a business account may have. */
const PAGES_MAX = 70
/** A number may send 80 messages a second. */
const LANES = 10
/** A gateway timeout: the request may still have been received. */
const GATEWAY_SILENT = [502, 504]

export type CloudOptions = {
  token: string
  phoneNumberId: string
  /** Whose templates are listed; undefined: they are entered by hand. */
  businessAccountId: string | undefined
  /** With the version, like https://graph.facebook.com/v23.0 */
  apiUrl: string
}

export type CloudLimits = { timeoutMs?: number }

/** WhatsApp's own API for companies. Success means that a message was accepted; the webhook reports whether it was delivered. */
export function openCloud(
  { token, phoneNumberId, businessAccountId, apiUrl }: CloudOptions,
  { timeoutMs = CALL_TIMEOUT_MS }: CloudLimits = {},
): WhatsApp {
  const base = apiUrl.replace(/\/+$/, '')
  const number = `${base}/${encodeURIComponent(phoneNumberId)}`
  const authorization = { authorization: `Bearer ${token}` }
  const bounds = { timeoutMs, bytesMax: ANSWER_BYTES_MAX }
  const get = (url: string, bytesMax = ANSWER_BYTES_MAX) =>
    callProvider(LABEL, url, { method: 'GET', headers: authorization, timeoutMs, bytesMax })

  /** Nobody sees it before the message: whatever happens here, nothing was sent. */
  async function upload(file: WhatsAppFile): Promise<string> {
    const { body, type } = multipart(file)
    const answer = await callProvider(LABEL, `${number}/media`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': type },
      body,
      ...bounds,
      timeoutMs: Math.max(timeoutMs, FILE_TIMEOUT_MS),
    })
    const id = accepted<{ id: string }>(answer)?.id
    if (typeof id !== 'string') throw new Error(`${LABEL} did not say what it calls the file`)
    return id
  }

  return {
    kind: 'cloud',
    lanes: LANES,
    async send(message, { mayGo } = {}) {
      const media_id = message.file && (await upload(message.file))
      const answer = await callProvider(LABEL, `${number}/messages`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: JSON.stringify(requestOf(message, media_id)),
        ...bounds,
        ...(mayGo && { mayGo }),
      }).catch((error: unknown) => {
        if (error instanceof ProviderSilent && error.left)
          throw new WhatsAppUncertain(error.message, { cause: error })
        throw error
      })
      if (GATEWAY_SILENT.includes(answer.status))
        throw new WhatsAppUncertain(`${LABEL} answered ${answer.status}`)
      const id = accepted<{ messages: { id: string }[] }>(answer)?.messages?.[0]?.id
      return { provider_id: typeof id === 'string' ? id : null, confirmed: false }
    },
    async media(id, bytesMax) {
      const answer = await get(`${base}/${encodeURIComponent(id)}`)
      if (isGone(answer)) return undefined
      const { url, mime_type, file_size } = accepted<Media>(answer) ?? {}
      if (!url) throw new Error(`${LABEL} did not say where the file is`)
      if (Number(file_size) > bytesMax) return undefined
      refuseElsewhere(url, base)
      const headers = { ...authorization, 'user-agent': 'Rapport' }
      const times = { timeoutMs: Math.max(timeoutMs, FILE_TIMEOUT_MS), bytesMax }
      const file = await callForFile(LABEL, url, { method: 'GET', headers, ...times }).catch(
        (error: unknown) => {
          if (error instanceof ProviderSilent && error.cause instanceof TooLarge) return undefined
          throw error
        },
      )
      if (!file || file.status === 404 || file.status === 410) return undefined
      if (file.status !== 200) throw new Error(`${LABEL} answered ${file.status} for a file`)
      return { type: mime_type ?? file.type ?? 'application/octet-stream', bytes: file.bytes }
    },
    async templates() {
      if (businessAccountId === undefined) return undefined
      const found: GraphTemplate[] = []
      const first = `${base}/${encodeURIComponent(businessAccountId)}/message_templates?limit=${TEMPLATES_PER_PAGE}`
      let after: string | undefined
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const url = after === undefined ? first : `${first}&after=${encodeURIComponent(after)}`
        const page = accepted<TemplatePage>(await get(url, TEMPLATES_BYTES_MAX))
        found.push(...(page?.data ?? []))
        after = page?.paging?.next ? page.paging.cursors?.after : undefined
        if (after === undefined) break
      }
      return listed(found)
    },
    async check() {
      const answer = await get(`${number}?fields=id,display_phone_number`)
      if (answer.status === 200) return
      const { code } = faultIn(answer)
      if (answer.status === 401 || isNoToUs(code))
        throw new Error(`${LABEL} rejected the token, or it may not use this number`)
      throw new Error(`${LABEL} is unavailable (${answer.status})`)
    },
    async close() {},
  }
}

type Media = { url: string; mime_type: string; file_size: number | string }
type TemplatePage = { data: GraphTemplate[]; paging?: { next?: string; cursors?: { after?: string } } }

function requestOf(message: WhatsAppMessage, media_id: string | undefined) {
  const { to, reference } = message
  const recipient = to.startsWith(WHATSAPP_ADDRESS)
    ? { recipient: to.slice(WHATSAPP_ADDRESS.length) }
    : { to: to.replace(/^\+/, '') }
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient,
    biz_opaque_callback_data: reference,
    ...contentOf(message, media_id),
  }
}

/** What it answered to a request that it has taken; everything else is an error. */
function accepted<Value>(answer: ProviderAnswer): Partial<Value> | undefined {
  const { status, body } = answer
  if (status >= 200 && status < 300) return parsed<Value>(body)
  const { code, words } = faultIn(answer)
  const message = `${LABEL} answered ${status}: ${meaningOf(code, words)}`
  const isPersistent = status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429
  if (isPersistent && !isPassing(code) && !isMissing(answer, code)) throw new WhatsAppRefused(message)
  throw new Error(message)
}

/** A 404 without a code of theirs is our address of the API, not the message. */
function isMissing({ status }: ProviderAnswer, code: number | undefined): boolean {
  return status === 404 && code === undefined
}

/** A media ID that is unknown or expired: code 100 with subcode 33, or a 404. */
function isGone(answer: ProviderAnswer): boolean {
  const { code } = faultIn(answer)
  return (answer.status === 400 && code === 100) || answer.status === 404
}

type Fault = { error: { code: number; message: string; error_data?: { details?: string } } }

function faultIn({ body }: ProviderAnswer): { code: number | undefined; words: string | undefined } {
  const error = parsed<Fault>(body)?.error
  const { code, message, error_data } = error ?? {}
  return {
    code: typeof code === 'number' ? code : undefined,
    words: [error_data?.details, message].find(text => typeof text === 'string'),
  }
}

/** The token goes along: only in private, or to where the API itself is. */
function refuseElsewhere(url: string, base: string): void {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target && (target.protocol === 'https:' || target.origin === new URL(base).origin)) return
  throw new Error(`${LABEL} named a place for a file that is not safe`)
}

function multipart({ name, type, bytes }: WhatsAppFile): { body: Buffer; type: string } {
  const boundary = `rapport-${randomBytes(16).toString('hex')}`
  const field = (key: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`
  const plainName = name.replaceAll(/["\r\n\\]/g, '_')
  const head =
    field('messaging_product', 'whatsapp') +
    field('type', type) +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${plainName}"\r\ncontent-type: ${type}\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
