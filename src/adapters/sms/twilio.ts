import { SmsRefused, SmsUncertain, type Sms, type SmsSender } from '#platform/ports/sms.ts'
import { callProvider, parsed, ProviderSilent, type ProviderAnswer } from '#platform/provider-call.ts'

const LABEL = 'Twilio'
const CALL_TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 64 * 1024
const LANES = 10

/** The number is none, cannot be reached by SMS, or its owner has said STOP. */
const ADDRESS_CODES = [21211, 21214, 21610, 21612, 21614]
/** A no to the installation, not to this message: the account, its password or its rights are wrong. */
const NO_TO_US = [401, 403, 404]
/** A gateway timeout: Twilio may still have received the request. */
const GATEWAY_SILENT = [502, 504]

export type TwilioOptions = {
  accountSid: string
  authToken: string
  /** A number, an alphanumeric sender, or the id of a messaging service (MG…). */
  from: string
  baseUrl: string
  /** Where Twilio tells what became of a message. */
  callbackUrl?: string | undefined
}

export type TwilioLimits = { timeoutMs?: number }

export function openTwilio(
  { accountSid, authToken, from, baseUrl, callbackUrl }: TwilioOptions,
  { timeoutMs = CALL_TIMEOUT_MS }: TwilioLimits = {},
): SmsSender {
  const account = `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const bounds = { timeoutMs, bytesMax: ANSWER_BYTES_MAX }
  return {
    kind: 'twilio',
    lanes: LANES,
    async send(sms, { mayGo } = {}) {
      const answer = await callProvider(LABEL, `${account}/Messages.json`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: String(formOf(sms, from, callbackUrl)),
        ...bounds,
        ...(mayGo && { mayGo }),
      }).catch((error: unknown) => {
        if (error instanceof ProviderSilent && error.left)
          throw new SmsUncertain(error.message, { cause: error })
        throw error
      })
      return { provider_id: sidOf(answer) }
    },
    async check() {
      const { status } = await callProvider(LABEL, `${account}.json`, {
        method: 'GET',
        headers: { authorization },
        ...bounds,
      })
      if (NO_TO_US.includes(status)) throw new Error(`${LABEL} rejected the account SID or auth token`)
      if (status !== 200) throw new Error(`${LABEL} is unavailable (${status})`)
    },
    async close() {},
  }
}

function formOf({ to, text }: Sms, from: string, callbackUrl?: string): URLSearchParams {
  return new URLSearchParams({
    To: to,
    [/^MG\w{32}$/.test(from) ? 'MessagingServiceSid' : 'From']: from,
    Body: text,
    ...(callbackUrl !== undefined && { StatusCallback: callbackUrl }),
  })
}

/** Twilio's id of the message it has taken; everything else that it answers is an error. */
function sidOf({ status, body }: ProviderAnswer): string | null {
  const answer = parsed<{ sid: string; code: number; message: string }>(body)
  if (status >= 200 && status < 300) return typeof answer?.sid === 'string' ? answer.sid : null
  const code = typeof answer?.code === 'number' ? answer.code : undefined
  const words = typeof answer?.message === 'string' ? answer.message : 'no reason given'
  const message = `${LABEL} answered ${status}${code ? ` (${code})` : ''}: ${words}`
  if (GATEWAY_SILENT.includes(status)) throw new SmsUncertain(message)
  if (status >= 500 || status === 429 || status < 400 || NO_TO_US.includes(status)) throw new Error(message)
  throw new SmsRefused(message, { address: code !== undefined && ADDRESS_CODES.includes(code) })
}
