import {
  VoiceGone,
  VoiceRefused,
  VoiceUnavailable,
  VoiceUncertain,
  type Outgoing,
  type VoiceChannel,
  type VoiceEnd,
  type VoiceListener,
} from '#platform/ports/voice.ts'
import { callProvider, parsed, ProviderSilent, type ProviderAnswer } from '#platform/provider-call.ts'

const LABEL = 'Twilio'
const ANSWER_BYTES_MAX = 64 * 1024
const RING_SEC = 40
const CALL_SEC_MAX = 3_600
/** So often in a row it may not answer while a call rings. */
const SILENCES_MAX = 10
const NUMBER_PATTERN = /^\+[1-9]\d{6,14}$/
const GATEWAY_SILENT = [502, 504]

/** What our own call is known by again when it comes round. */
const CALL_HEADER = 'X-Rapport-Call'

export type TwilioCallOptions = {
  accountSid: string
  authToken: string
  from: string
  baseUrl: string
  timeoutMs: number
  /** How often it is asked what became of a call that rings. */
  lookMs: number
  /** What a call that was answered may take to come round to the model, and to be known by its other id. */
  roundMs: number
}

export type TwilioCalls = ReturnType<typeof openTwilioCalls>

/**
 * Places the calls that the model cannot place itself: whoever answers is connected to the model's SIP
 * address.
 */
export function openTwilioCalls({
  accountSid,
  authToken,
  from,
  baseUrl,
  timeoutMs,
  lookMs,
  roundMs,
}: TwilioCallOptions) {
  const account = `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const bounds = { timeoutMs, bytesMax: ANSWER_BYTES_MAX }

  const post = (path: string, form: Record<string, string>) =>
    callProvider(LABEL, `${account}/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(form)),
      ...bounds,
    })
  const statusOf = async (sid: string) => {
    const address = `${account}/Calls/${encodeURIComponent(sid)}.json`
    const answer = await callProvider(LABEL, address, {
      method: 'GET',
      headers: { authorization },
      ...bounds,
    })
    if (answer.status !== 200) throw faultOf(answer)
    return parsed<{ status: unknown }>(answer.body)?.status
  }
  const hangUp = async (sid: string) => {
    const path = `Calls/${encodeURIComponent(sid)}.json`
    const answer = await post(path, { Status: 'completed' }).catch((error: Error) => {
      throw new VoiceUnavailable(error.message, { cause: error })
    })
    if (!isGood(answer) && answer.status !== 404) throw faultOf(answer)
  }

  return {
    /** What keeps it from calling; null: nothing. */
    fault: NUMBER_PATTERN.test(from) ? null : `TWILIO_FROM must be a phone number to make calls, not ${from}`,

    async dial(call: Outgoing, sipUri: string): Promise<{ provider_call_id: string }> {
      const answer = await post('Calls.json', {
        To: call.to,
        From: call.from ?? from,
        Twiml: twiml(sipUri, call.token),
        Timeout: String(RING_SEC),
      }).catch((error: Error) => {
        const isOut = error instanceof ProviderSilent && error.left
        throw new (isOut ? VoiceUncertain : VoiceUnavailable)(error.message, { cause: error })
      })
      if (GATEWAY_SILENT.includes(answer.status)) throw new VoiceUncertain(wordsOf(answer))
      if (!isGood(answer)) throw faultOf(answer)
      const sid = parsed<{ sid: unknown }>(answer.body)?.sid
      if (typeof sid === 'string' && isTwilioCall(sid)) return { provider_call_id: sid }
      throw new VoiceUncertain(`${LABEL} accepted the call but did not return its ID`)
    },

    hangUp,

    /** Follows a call until it comes round to the model, or does not. */
    ring(sid: string, listener: VoiceListener, onOver: () => void): VoiceChannel {
      let isOver = false
      let silences = 0
      let completedLooks = 0
      let timer = setTimeout(() => void look(), lookMs)
      const stop = () => {
        isOver = true
        clearTimeout(timer)
        onOver()
      }
      const end = (how: VoiceEnd) => {
        if (isOver) return
        stop()
        listener.ended(how)
      }
      const look = async () => {
        try {
          const status = await statusOf(sid)
          silences = 0
          if (isOver) return
          const known = endings[String(status)]
          if (known) return end(known)
          if (status === 'completed' && ++completedLooks * lookMs > roundMs) return end(strayed)
        } catch (error) {
          if (isOver) return
          if (error instanceof VoiceGone) return end(unknownCall)
          if (++silences >= SILENCES_MAX) {
            stop()
            return listener.lost((error as Error).message)
          }
        }
        if (!isOver) timer = setTimeout(() => void look(), lookMs)
      }
      return {
        prompt: async () => {
          throw new VoiceUnavailable('The call has not been answered yet')
        },
        answerTool: async () => {},
        hangUp: async () => {
          await hangUp(sid)
          end({ status: 'NO_ANSWER', reason: 'The call was ended here before it was answered.' })
        },
        leave: () => {
          if (!isOver) stop()
        },
      }
    },

    async check(): Promise<void> {
      const { status } = await callProvider(LABEL, `${account}.json`, {
        method: 'GET',
        headers: { authorization },
        ...bounds,
      })
      if (status === 401 || status === 403 || status === 404)
        throw new Error(`${LABEL} rejected the account SID or auth token`)
      if (status !== 200) throw new Error(`${LABEL} is unavailable (${status})`)
    },
  }
}

/** Ids tell who carries a call: those of Twilio begin like this, those of OpenAI never. */
export function isTwilioCall(provider_call_id: string): boolean {
  return /^CA[0-9a-f]{32}$/i.test(provider_call_id)
}

const endings: Record<string, VoiceEnd> = {
  'no-answer': { status: 'NO_ANSWER', reason: 'No answer.' },
  canceled: { status: 'NO_ANSWER', reason: 'The call was cancelled before it was answered.' },
  busy: { status: 'FAILED', reason: 'The line was busy.' },
  failed: { status: 'FAILED', reason: 'The number could not be reached.' },
}

const unknownCall: VoiceEnd = { status: 'FAILED', reason: `${LABEL} has no record of this call.` }
const strayed: VoiceEnd = {
  status: 'FAILED',
  reason:
    'The call was answered but did not reach the model. Check OPENAI_SIP_URI and the webhook for realtime.call.incoming.',
}

/** The header goes along in the address, as SIP has it. */
function twiml(sipUri: string, token: string): string {
  const address = `${sipUri}?${CALL_HEADER}=${encodeURIComponent(token)}`
  return `<Response><Dial answerOnBridge="true" timeLimit="${CALL_SEC_MAX}"><Sip>${escaped(address)}</Sip></Dial></Response>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function isGood({ status }: ProviderAnswer): boolean {
  return status >= 200 && status < 300
}

function faultOf(answer: ProviderAnswer): Error {
  const { status } = answer
  const message = wordsOf(answer)
  if (status === 404) return new VoiceGone(message)
  const isPassing = status === 429 || status >= 500 || status < 400
  return isPassing ? new VoiceUnavailable(message) : new VoiceRefused(message)
}

function wordsOf({ status, body }: ProviderAnswer): string {
  const answer = parsed<{ code: unknown; message: unknown }>(body)
  const code = typeof answer?.code === 'number' ? ` (${answer.code})` : ''
  const words = typeof answer?.message === 'string' ? answer.message.slice(0, 300) : 'no reason given'
  return `${LABEL} answered ${status}${code}: ${words}`
}
