import { request as httpRequest, type ClientRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { VoiceGone, VoiceRefused, VoiceUnavailable } from '#platform/ports/voice.ts'
import { callProvider, parsed, type ProviderAnswer } from '#platform/provider-call.ts'

const LABEL = 'OpenAI'
const ANSWER_BYTES_MAX = 64 * 1024
const REASON_LENGTH_MAX = 300

export type OpenAiAccess = { apiKey: string; baseUrl: string; timeoutMs: number }
export type CallAction = 'accept' | 'reject' | 'refer' | 'hangup'

/** Tells the provider what to do with a call. What it may say again or not is told apart by the error. */
export async function control(
  { apiKey, baseUrl, timeoutMs }: OpenAiAccess,
  provider_call_id: string,
  action: CallAction,
  body?: object,
): Promise<void> {
  const address = `${baseUrl}/realtime/calls/${encodeURIComponent(provider_call_id)}/${action}`
  const answer = await callProvider(LABEL, address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
  }).catch((error: Error) => {
    throw new VoiceUnavailable(error.message, { cause: error })
  })
  if (answer.status < 200 || answer.status > 299) throw faultOf(answer, apiKey)
}

/** Where the control channel of a call is. */
export function channelAddress({ baseUrl }: OpenAiAccess, provider_call_id: string): string {
  return `${baseUrl.replace(/^http/, 'ws')}/realtime?call_id=${encodeURIComponent(provider_call_id)}`
}

/**
 * Why the channel of a call does not open; undefined where it would. The runtime's own WebSocket tells no status, so that
 * the same is asked once more by hand.
 */
export async function channelFault(
  access: OpenAiAccess,
  provider_call_id: string,
): Promise<Error | undefined> {
  const { apiKey, timeoutMs } = access
  const address = channelAddress(access, provider_call_id).replace(/^ws/, 'http')
  try {
    const status = await upgradeStatus(address, apiKey, timeoutMs)
    return status === 101 ? undefined : faultOf({ status, body: '' }, apiKey)
  } catch (error) {
    return new VoiceUnavailable(`${LABEL} did not answer: ${(error as Error).message}`, { cause: error })
  }
}

function upgradeStatus(address: string, apiKey: string, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    }
    const request: ClientRequest = (address.startsWith('https:') ? httpsRequest : httpRequest)(address, {
      headers,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answered = (status: number) => {
      request.destroy()
      resolve(status)
    }
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      answered(101)
    })
    request.once('response', ({ statusCode = 0 }) => answered(statusCode))
    request.on('error', reject)
    request.end()
  })
}

/** Who is not let in is told without the provider's words: they hold a part of the key. */
function faultOf({ status, body }: ProviderAnswer, apiKey: string): Error {
  if (status === 401 || status === 403) return new VoiceRefused(`${LABEL} rejected the API key (${status})`)
  const words = parsed<{ error: { message?: unknown } }>(body)?.error?.message
  const reason = typeof words === 'string' ? `: ${tidy(words, apiKey)}` : ''
  const message = `${LABEL} answered ${status}${reason}`
  if (status === 404 || status === 410) return new VoiceGone(message)
  const isPassing = status === 429 || status === 408 || status >= 500 || status < 400
  return isPassing ? new VoiceUnavailable(message) : new VoiceRefused(message)
}

function tidy(words: string, apiKey: string): string {
  const plain = words.replaceAll(apiKey, '…').replace(/\p{C}+/gu, ' ')
  return plain.trim().slice(0, REASON_LENGTH_MAX)
}
