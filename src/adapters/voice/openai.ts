import { systemClock, type Clock } from '#platform/clock.ts'
import { VoiceGone, VoiceRefused, type VoiceChannel, type VoiceLine } from '#platform/ports/voice.ts'
import { callProvider } from '#platform/provider-call.ts'
import { control, type OpenAiAccess } from './openai-api.ts'
import { openChannel } from './openai-channel.ts'
import { sessionBody } from './openai-session.ts'
import { isTwilioCall, openTwilioCalls } from './twilio-calls.ts'

const CALL_TIMEOUT_MS = 8_000
const LOOK_MS = 3_000
const ROUND_MS = 10_000
const SILENCE_MS = 120_000
const POLITE_MS = 6_000
const FAREWELL_MS = 5_000
const MODELS_BYTES_MAX = 4 * 1024 * 1024

export type OpenAiLineOptions = {
  apiKey: string
  /** With its version, like https://api.openai.com/v1. */
  baseUrl: string
  /** Where the model listens; without it nobody is called. */
  sipUri: string | undefined
  /** Who makes the calls that go out. */
  twilio: { accountSid: string; authToken: string; from: string; baseUrl: string } | undefined
}

export type OpenAiLineLimits = {
  timeoutMs?: number
  lookMs?: number
  roundMs?: number
  silenceMs?: number
  politeMs?: number
  farewellMs?: number
  clock?: Clock
}

/** A model at OpenAI that listens and speaks; calls that go out are made by Twilio and come round. */
export function openOpenAiLine(
  { apiKey, baseUrl, sipUri, twilio }: OpenAiLineOptions,
  {
    timeoutMs = CALL_TIMEOUT_MS,
    lookMs = LOOK_MS,
    roundMs = ROUND_MS,
    silenceMs = SILENCE_MS,
    politeMs = POLITE_MS,
    farewellMs = FAREWELL_MS,
    clock = systemClock,
  }: OpenAiLineLimits = {},
): VoiceLine {
  const access: OpenAiAccess = { apiKey, baseUrl: baseUrl.replace(/\/+$/, ''), timeoutMs }
  const calls = twilio && openTwilioCalls({ ...twilio, timeoutMs, lookMs, roundMs })
  const dialFault = calls && sipUri !== undefined ? calls.fault : missing({ twilio, sipUri })
  const open = new Set<VoiceChannel>()
  return {
    kind: 'openai',
    dialFault,
    async dial(call) {
      if (!calls || sipUri === undefined || dialFault !== null)
        throw new VoiceRefused(dialFault ?? 'Outbound calls are not possible')
      return await calls.dial(call, sipUri)
    },
    accept: (id, session) => control(access, id, 'accept', sessionBody(session)),
    reject: (id, status_code) => control(access, id, 'reject', { status_code }).catch(unlessGone),
    refer: (id, target_uri) => control(access, id, 'refer', { target_uri }),
    async hangUp(id) {
      if (isTwilioCall(id)) await calls?.hangUp(id)
      else await control(access, id, 'hangup').catch(unlessGone)
    },
    async open(call, listener) {
      const onOver = () => void open.delete(channel)
      let channel: VoiceChannel
      if (!isTwilioCall(call.provider_call_id))
        channel = await openChannel(call, listener, {
          access,
          clock,
          silenceMs,
          politeMs,
          farewellMs,
          onOver,
        })
      else if (calls) channel = calls.ring(call.provider_call_id, listener, onOver)
      else throw new VoiceRefused('Calls through Twilio are no longer configured')
      open.add(channel)
      return channel
    },
    async check() {
      const { status } = await callProvider('OpenAI', `${access.baseUrl}/models`, {
        method: 'GET',
        headers: { authorization: `Bearer ${apiKey}` },
        timeoutMs,
        bytesMax: MODELS_BYTES_MAX,
      })
      if (status === 401 || status === 403) throw new Error(`OpenAI rejected the API key (${status})`)
      if (status !== 200) throw new Error(`OpenAI answered ${status}`)
      if (dialFault === null) await calls?.check()
    },
    async close() {
      for (const channel of open) channel.leave()
    },
  }
}

/** A call that is over is what was wanted. */
function unlessGone(error: unknown): void {
  if (!(error instanceof VoiceGone)) throw error
}

function missing({ twilio, sipUri }: Pick<OpenAiLineOptions, 'twilio' | 'sipUri'>): string {
  const names = [
    ...(twilio ? [] : ['TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM (to place calls)']),
    ...(sipUri === undefined ? ['OPENAI_SIP_URI (to connect the model)'] : []),
  ]
  return `Agents can answer calls but cannot place them: set ${names.join(' and ')}.`
}
