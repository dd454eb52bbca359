import { systemClock, type Clock } from '#platform/clock.ts'
import type { Opened, VoiceChannel, VoiceLine, VoiceListener } from '#platform/ports/voice.ts'
import {
  answered,
  endOf,
  isIdle,
  next,
  placeOf,
  prompted,
  zoneOr,
  type Place,
  type Plot,
  type Telling,
} from './script.ts'

const LATENCY_MIN_MS = 280
const LATENCY_SPREAD_MS = 240
const CHARACTERS_PER_TOKEN = 4
const INPUT_TOKENS = 400

/** When the next thing happens in a call. What it gives back calls that off. */
export type Pace = (next: () => void) => () => void

export type SimulatorOptions = { pace: Pace; clock?: Clock }

export type Simulator = VoiceLine & {
  /** How many calls are listened to. */
  live(): number
  /** Lets the channel of a call fall, as a network does. */
  fall(provider_call_id: string, reason: string): void
}

export function steadyPace(ms: number): Pace {
  return next => {
    const timer = setTimeout(next, ms)
    return () => clearTimeout(timer)
  }
}

/**
 * Simulates calls: the last two digits of the number decide how one goes (`script.ts`). It keeps no state
 * beyond the reported progress, so any process can continue a call.
 */
export function openSimulator({ pace, clock = systemClock }: SimulatorOptions): Simulator {
  const playing = new Map<string, Playing>()
  const open = (call: Opened, listener: VoiceListener): Playing => {
    // Reopening the channel takes the call over.
    playing.get(call.provider_call_id)?.leave()
    const channel = play(call, listener, { pace, clock, onOver: forget })
    playing.set(call.provider_call_id, channel)
    return channel
    function forget() {
      if (playing.get(call.provider_call_id) === channel) playing.delete(call.provider_call_id)
    }
  }
  return {
    kind: 'simulator',
    dialFault: null,
    dial: async ({ call_id, to }) => ({ provider_call_id: `sim_${call_id}_${to.slice(-2)}` }),
    accept: async () => {},
    reject: async () => {},
    refer: async (id, target) => playing.get(id)?.end(`The call was transferred to ${target}.`),
    hangUp: async id => playing.get(id)?.end('The call was ended here.'),
    open: async (call, listener) => open(call, listener),
    check: async () => {},
    close: async () => {
      for (const channel of playing.values()) channel.leave()
    },
    live: () => playing.size,
    fall: (id, reason) => playing.get(id)?.fall(reason),
  }
}

type Playing = VoiceChannel & { end(reason: string): void; fall(reason: string): void }
type Stage = { pace: Pace; clock: Clock; onOver: () => void }

function play(call: Opened, listener: VoiceListener, { pace, clock, onOver }: Stage): Playing {
  const plot = plotOf(call)
  let place = placeOf(call.resume)
  let cancel: (() => void) | undefined
  let isOver = false

  const goOn = () => {
    if (!isOver && !cancel && !isIdle(place)) cancel = pace(tick)
  }
  const tick = () => {
    cancel = undefined
    const step = next(plot, place, clock.now())
    if (step.telling.kind === 'end') {
      stop()
      return listener.ended(step.telling.end)
    }
    // Before it is reported: the listener may answer immediately.
    place = step.place
    tell(step.telling)
    goOnFrom(place)
  }
  const tell = (telling: Telling) => {
    if (telling.kind === 'connected') listener.connected()
    if (telling.kind === 'tool') listener.tool(telling.asked)
    if (telling.kind !== 'line') return
    const { ref, speaker, text } = telling
    if (speaker === 'agent') listener.response(responseOf(call.provider_call_id, ref, text))
    listener.line({ ref, speaker, text })
  }
  const goOnFrom = (to: Place) => {
    if (isOver) return
    place = to
    listener.progress(place)
    goOn()
  }
  const stop = () => {
    isOver = true
    cancel?.()
    cancel = undefined
    onOver()
  }
  const end = (reason: string) => {
    if (isOver) return
    stop()
    listener.ended(endOf(place, place.connected ? 'ENDED' : 'NO_ANSWER', reason))
  }

  const { waiting } = place
  if (waiting === null) goOn()
  // Asked before a fall and not answered: asked again, by the same name.
  else
    cancel = pace(() => {
      cancel = undefined
      listener.tool(waiting)
      goOn()
    })
  return {
    prompt: async text => goOnFrom(prompted(place, text)),
    answerTool: async (ref, text) => goOnFrom(answered(place, ref, text)),
    hangUp: async () => end('The agent ended the call.'),
    leave: () => {
      if (!isOver) stop()
    },
    end,
    fall: reason => {
      if (isOver) return
      stop()
      listener.lost(reason)
    },
  }
}

/** The number is in the id that `dial` gave, so that the call can be taken over where nobody remembers it. */
function plotOf({ provider_call_id, session, about }: Opened): Plot {
  const [, digits] = /^sim_.+_(\d{2})$/.exec(provider_call_id) ?? []
  return { digits, session, name: about.name, timezone: zoneOr(about.timezone, 'UTC') }
}

/** Made up, but the same each time, and different from line to line as those of a model are. */
function responseOf(call: string, ref: string, text: string): Parameters<VoiceListener['response']>[0] {
  let sum = 0
  for (const character of call + ref) sum = (sum * 31 + character.charCodeAt(0)) % 65_521
  return {
    id: `${call}_${ref}`,
    status: 'completed',
    latency_ms: LATENCY_MIN_MS + (sum % LATENCY_SPREAD_MS),
    error_code: null,
    input_tokens: INPUT_TOKENS + Math.ceil(text.length / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  }
}
