import type { Clock } from '#platform/clock.ts'
import { VoiceGone, VoiceUnavailable } from '#platform/ports/voice.ts'
import type { Opened, VoiceChannel, VoiceEnd, VoiceListener } from '#platform/ports/voice.ts'
import { channelAddress, channelFault, control, type OpenAiAccess } from './openai-api.ts'
import { readEvent, type ChannelEvent } from './openai-events.ts'
import { greetingEvent, promptEvent, toolAnswerEvent, type SentEvent } from './openai-session.ts'

const CLEAN_CLOSE = 1000
const REFS_MAX = 20_000
const LATENCIES_MAX = 100

export type ChannelOptions = {
  access: OpenAiAccess
  clock: Clock
  /** Nothing heard for so long is looked into: a dead connection says nothing either. */
  silenceMs: number
  /** So long a last word may take. */
  politeMs: number
  /** A call that was told to end, and whose channel stays open, is over after this. */
  farewellMs: number
  onOver: () => void
}

/** Opens the control channel of a call that was accepted. One that is over already is told as ended. */
export async function openChannel(
  call: Opened,
  listener: VoiceListener,
  options: ChannelOptions,
): Promise<VoiceChannel> {
  try {
    const socket = await connected(call.provider_call_id, options.access)
    return attend(socket, call, listener, options)
  } catch (error) {
    if (!(error instanceof VoiceGone)) throw error
    listener.ended(hungUp)
    options.onOver()
    return silent
  }
}

const hungUp: VoiceEnd = { status: 'ENDED', reason: 'The other party hung up.' }
const endedHere: VoiceEnd = { status: 'ENDED', reason: 'The agent ended the call.' }

const silent: VoiceChannel = {
  prompt: async () => {},
  answerTool: async () => {},
  hangUp: async () => {},
  leave: () => {},
}

function connected(provider_call_id: string, access: OpenAiAccess): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(channelAddress(access, provider_call_id), {
      headers: { authorization: `Bearer ${access.apiKey}` },
    })
    const late = setTimeout(() => failed(), access.timeoutMs)
    const failed = () => {
      settled()
      socket.close()
      const later = new VoiceUnavailable('OpenAI did not open the call channel')
      void channelFault(access, provider_call_id).then(fault => reject(fault ?? later))
    }
    const opened = () => {
      settled()
      resolve(socket)
    }
    const settled = () => {
      clearTimeout(late)
      socket.removeEventListener('open', opened)
      socket.removeEventListener('error', failed)
    }
    // What fails afterwards closes the socket as well, and is heard there.
    socket.addEventListener('error', () => {})
    socket.addEventListener('open', opened)
    socket.addEventListener('error', failed)
  })
}

function attend(
  socket: WebSocket,
  call: Opened,
  listener: VoiceListener,
  { access, clock, silenceMs, politeMs, farewellMs, onOver }: ChannelOptions,
): VoiceChannel {
  const told = new Set<string>()
  const latencies = new Latencies(clock)
  const turn = new Turn(send)
  const sound = new Sound()
  /** Nothing is heard here any more. */
  let isOver = false
  let isLeft = false
  let end = hungUp
  let farewell: NodeJS.Timeout | undefined
  const watch = setTimeout(() => void look('The call went silent'), silenceMs)

  function send(event: SentEvent) {
    if (event.type === 'response.create') latencies.asked()
    socket.send(JSON.stringify(event))
  }

  /** Each of a name is told once. */
  function once(ref: string, tell: () => void) {
    if (told.has(ref) || told.size >= REFS_MAX) return
    told.add(ref)
    tell()
  }

  function hear(event: ChannelEvent) {
    switch (event.kind) {
      case 'line':
        return once(event.ref, () =>
          listener.line({ ref: event.ref, speaker: event.speaker, text: event.text }),
        )
      case 'tool':
        return once(event.ref, () => ask(event))
      case 'silence':
        return latencies.asked()
      case 'sound':
        return sound.turn(event.isOn)
      case 'response':
        turn.taken()
        return latencies.began(event.id)
      case 'output':
        return latencies.spoke(event.id)
      case 'done': {
        const { id, error_code, input_tokens, output_tokens } = event
        turn.over()
        const status = error_code === null ? 'completed' : 'failed'
        const latency_ms = latencies.of(id)
        return once(id, () =>
          listener.response({ id, status, latency_ms, error_code, input_tokens, output_tokens }),
        )
      }
      case 'busy':
        return turn.refused()
      case 'error': {
        const { id, code } = event
        turn.failed()
        const nothing = { latency_ms: null, input_tokens: null, output_tokens: null }
        return once(id, () => listener.response({ id, status: 'failed', error_code: code, ...nothing }))
      }
    }
  }

  /** A tool that the agent does not have, or arguments that are none, is answered on the spot. */
  function ask({ ref, name, arguments: given }: ChannelEvent & { kind: 'tool' }) {
    const isKnown = call.session.tools.some(tool => tool.name === name)
    if (isKnown && given) return listener.tool({ ref, name, arguments: given })
    send(toolAnswerEvent(ref, isKnown ? 'The arguments must be a JSON object.' : `Unknown tool: ${name}.`))
    turn.want()
  }

  /** Is the call over, or did only its channel fall? */
  async function look(reason: string) {
    stop()
    const fault = await channelFault(access, call.provider_call_id)
    if (isLeft) return
    if (fault instanceof VoiceGone) listener.ended(end)
    else listener.lost(reason)
  }

  function stop() {
    isOver = true
    clearTimeout(watch)
    clearTimeout(farewell)
    sound.turn(false)
    socket.removeEventListener('message', onMessage)
    socket.removeEventListener('close', onClose)
    socket.close()
    onOver()
  }

  function onMessage({ data }: MessageEvent) {
    watch.refresh()
    const event = readEvent(data)
    if (event) hear(event)
  }

  function onClose({ code }: CloseEvent) {
    if (code !== CLEAN_CLOSE) return void look(`The call channel was disconnected (${code})`)
    stop()
    listener.ended(end)
  }

  socket.addEventListener('message', onMessage)
  socket.addEventListener('close', onClose)
  listener.connected()
  if (!isGreeted(call.resume)) {
    turn.want(greetingEvent(call.session))
    listener.progress({ greeted: true })
  }
  return {
    async prompt(text) {
      if (isOver) return
      send(promptEvent(text))
      turn.want()
    },
    async answerTool(ref, text) {
      if (isOver) return
      send(toolAnswerEvent(ref, text))
      // Nothing to say after a result that ends the call.
      setImmediate(() => {
        if (!isOver && end !== endedHere) turn.want()
      })
    },
    async hangUp() {
      end = endedHere
      if (!isOver) await sound.over(politeMs)
      await control(access, call.provider_call_id, 'hangup').catch((error: unknown) => {
        if (!(error instanceof VoiceGone)) throw error
      })
      if (isOver) return
      farewell = setTimeout(() => {
        stop()
        listener.ended(end)
      }, farewellMs)
    },
    leave() {
      isLeft = true
      if (!isOver) stop()
    },
  }
}

function isGreeted(resume: unknown): boolean {
  return typeof resume === 'object' && resume !== null && 'greeted' in resume && resume.greeted === true
}

/** The model answers one thing at a time: what it is to speak about while it speaks waits until it has finished. */
class Turn {
  private readonly send: (event: SentEvent) => void
  private isSpeaking = false
  private asked: SentEvent | undefined
  private wanted: SentEvent | undefined

  constructor(send: (event: SentEvent) => void) {
    this.send = send
  }

  want(event: SentEvent = { type: 'response.create' }): void {
    this.wanted ??= event
    this.give()
  }

  /**
   * It may belong to our request, or the model may have started on its own at the same moment: a rejection
   * tells which.
   */
  taken(): void {
    this.isSpeaking = true
  }

  over(): void {
    this.asked = undefined
    this.isSpeaking = false
    this.give()
  }

  /** It had already started to answer before our request: ask again when it has finished. */
  refused(): void {
    this.wanted ??= this.asked
    this.asked = undefined
    this.isSpeaking = true
  }

  failed(): void {
    this.asked = undefined
    this.give()
  }

  private give(): void {
    if (this.isSpeaking || this.asked || !this.wanted) return
    this.asked = this.wanted
    this.wanted = undefined
    this.send(this.asked)
  }
}

/** What the other side hears at the moment. */
class Sound {
  private isOn = false
  private waiting: (() => void) | undefined

  turn(isOn: boolean): void {
    this.isOn = isOn
    if (!isOn) this.waiting?.()
  }

  async over(limitMs: number): Promise<void> {
    if (!this.isOn) return
    let late: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.waiting = resolve
      late = setTimeout(resolve, limitMs)
    })
    clearTimeout(late)
  }
}

/** How long it takes from the moment at which the model should speak to the first that comes of it. */
class Latencies {
  private readonly clock: Clock
  private askedAt: number | undefined
  private readonly begun = new Map<string, { at: number; latency: number | null }>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  asked(): void {
    this.askedAt = this.clock.now()
  }

  began(id: string): void {
    if (this.begun.size >= LATENCIES_MAX) this.begun.clear()
    this.begun.set(id, { at: this.askedAt ?? this.clock.now(), latency: null })
    this.askedAt = undefined
  }

  spoke(id: string): void {
    const response = this.begun.get(id)
    if (response) response.latency ??= this.clock.now() - response.at
  }

  of(id: string): number | null {
    const latency = this.begun.get(id)?.latency ?? null
    this.begun.delete(id)
    return latency
  }
}
