import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { CallAcceptParams } from 'openai/resources/realtime/calls'
import type {
  RealtimeClientEvent,
  RealtimeResponse,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime'
import type { RealtimeCallIncomingWebhookEvent } from 'openai/resources/webhooks/webhooks'
import { WebSocketServer, type WebSocket } from 'ws'

export const REALTIME_KEY = 'sk-canary-of-the-tests'

type SipHeaders = RealtimeCallIncomingWebhookEvent['data']['sip_headers']
type Done = Partial<Pick<RealtimeResponse, 'status' | 'status_details' | 'usage'>>

/** A call at the model's side, and what a test lets happen in it. */
export type RealtimeCall = {
  id: string
  state: 'ringing' | 'live' | 'rejected' | 'over'
  /** As it was accepted. */
  session: CallAcceptParams | undefined
  rejectedWith: number | undefined
  referredTo: string | undefined
  /** What came by its control channels, in order. */
  sent: RealtimeClientEvent[]
  /** How many channels are open. */
  channels(): number
  /** The other side has said something; the id of it. */
  hears(text: string): string
  /** The agent has said something: a whole response. */
  says(text: string, done?: Done): void
  /** The model wants a tool; its ref. */
  asks(name: string, given: unknown): string
  /** What was answered to a tool, once it is. */
  answerTo(ref: string): string | undefined
  /** The model begins a response, which goes on until it is done. */
  begins(): { id: string; done(how?: Done): void }
  /** The other side hears the agent, until it is over. */
  sounds(): { over(): void }
  /** Anything at all, also what is no event. */
  tell(message: RealtimeServerEvent | string | Buffer): void
  /** The other side hangs up. */
  hangUp(): void
  /** The control channels fall; the call goes on. */
  drop(code?: number): void
}

export type RealtimeServer = {
  /** With its version, as OPENAI_BASE_URL has it. */
  url: string
  /** What it was asked, without its control channels. */
  heard: { method: string; path: string; body: unknown }[]
  /** Answered to the next requests instead, one each; `silent`: never. */
  faults: (number | 'silent')[]
  /** Answered to whoever opens a control channel, as long as it is set. */
  channelFault: number | 'silent' | undefined
  /** Connections that want to be a control channel, or are one. */
  connections(): number
  /** Off: a test says by itself what the model answers to what it is told to say. */
  answers: boolean
  /** A call comes in: the call, and what the provider tells by webhook. */
  ring(headers?: Record<string, string>): { call: RealtimeCall; event: RealtimeCallIncomingWebhookEvent }
  call(id: string): RealtimeCall
  close(): Promise<void>
}

/** As much of the realtime API for telephone calls as answering them takes, by the types of its own SDK. */
export async function startRealtime(): Promise<RealtimeServer> {
  const calls = new Map<string, CallState>()
  const heard: RealtimeServer['heard'] = []
  const faults: RealtimeServer['faults'] = []
  const upgraded = new Set<Duplex>()
  const server = createServer((request, response) => void serve(request, response))
  const sockets = new WebSocketServer({ noServer: true })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const body = await bodyOf(request)
    const { method = '', url = '' } = request
    heard.push({ method, path: url, body })
    const fault = faults.shift()
    if (fault === 'silent') return
    if (fault !== undefined) return answer(response, fault)
    if (request.headers.authorization !== `Bearer ${REALTIME_KEY}`) return answer(response, 401)
    if (method === 'GET' && url === '/v1/models') return answer(response, 200, { data: [] })
    const [, id = '', action = ''] = /^\/v1\/realtime\/calls\/([^/]+)\/(\w+)$/.exec(url) ?? []
    const call = calls.get(decodeURIComponent(id))
    answer(response, call && method === 'POST' ? call.control(action, body) : 404)
  }

  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const call = calls.get(url.searchParams.get('call_id') ?? '')
    const fault = realtime.channelFault ?? statusOf(request, url.pathname, call)
    upgraded.add(socket)
    socket.on('error', () => {}).on('close', () => upgraded.delete(socket))
    if (fault === 'silent') return void socket.on('end', () => socket.end()).resume()
    if (fault !== 101 || !call) return void socket.end(`HTTP/1.1 ${fault} No\r\ncontent-length: 0\r\n\r\n`)
    sockets.handleUpgrade(request, socket, head, opened => call.attach(opened))
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const realtime: RealtimeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    heard,
    faults,
    channelFault: undefined,
    connections: () => upgraded.size,
    answers: true,
    ring(headers = {}) {
      const id = `rtc_${++rung}`
      const call = new CallState(id, () => realtime.answers)
      calls.set(id, call)
      return { call, event: incoming(id, headers) }
    },
    call(id) {
      const call = calls.get(id)
      if (!call) throw new Error(`no call ${id}`)
      return call
    },
    async close() {
      for (const socket of upgraded) socket.destroy()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
  return realtime
}

/** No two calls of one process have the same id, whichever server they ring at. */
let rung = 0

class CallState implements RealtimeCall {
  readonly id: string
  state: RealtimeCall['state'] = 'ringing'
  session: CallAcceptParams | undefined
  rejectedWith: number | undefined
  referredTo: string | undefined
  readonly sent: RealtimeClientEvent[] = []
  private readonly sockets = new Set<WebSocket>()
  private readonly answersItself: () => boolean
  private active: string | undefined
  private count = 0

  constructor(id: string, answersItself: () => boolean) {
    this.id = id
    this.answersItself = answersItself
  }

  /** The status to answer. */
  control(action: string, body: unknown): number {
    const isRinging = this.state === 'ringing'
    if (this.state === 'over' || this.state === 'rejected') return 404
    if (action === 'accept' && isRinging) {
      this.session = body as CallAcceptParams
      this.state = 'live'
    } else if (action === 'reject' && isRinging) {
      this.rejectedWith = (body as { status_code?: number } | undefined)?.status_code ?? 603
      this.state = 'rejected'
    } else if (action === 'refer' && !isRinging) {
      this.referredTo = (body as { target_uri: string }).target_uri
      this.hangUp()
    } else if (action === 'hangup' && !isRinging) this.hangUp()
    else return 400
    return 200
  }

  attach(socket: WebSocket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('message', data => this.take(JSON.parse(String(data)) as RealtimeClientEvent))
    const session = { type: 'realtime', ...this.session } as const
    this.tell({ type: 'session.created', event_id: this.name('event'), session })
  }

  channels(): number {
    return this.sockets.size
  }

  hears(transcript: string): string {
    const item_id = this.name('item')
    const at = { event_id: this.name('event'), item_id }
    this.tell({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, ...at })
    this.tell({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 900, ...at })
    const usage = { type: 'duration', seconds: 1 } as const
    const type = 'conversation.item.input_audio_transcription.completed'
    this.tell({ type, content_index: 0, transcript, usage, ...at })
    return item_id
  }

  says(transcript: string, how?: Done): void {
    const response = this.begins()
    const at = { response_id: response.id, output_index: 0, event_id: this.name('event') }
    const item_id = this.name('item')
    const item = { id: item_id, type: 'message', role: 'assistant', content: [] } as const
    this.tell({ type: 'response.output_item.added', item: { ...item, content: [] }, ...at })
    this.tell({
      type: 'response.output_audio_transcript.done',
      item_id,
      content_index: 0,
      transcript,
      ...at,
    })
    response.done(how)
  }

  asks(name: string, given: unknown): string {
    const response = this.begins()
    const call_id = this.name('call')
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    const at = { response_id: response.id, output_index: 0, event_id: this.name('event') }
    const item = { type: 'function_call', name, arguments: '', call_id } as const
    this.tell({ type: 'response.output_item.added', item, ...at })
    const type = 'response.function_call_arguments.done'
    this.tell({ type, item_id: this.name('item'), call_id, name, arguments: text, ...at })
    response.done()
    return call_id
  }

  answerTo(ref: string): string | undefined {
    for (const event of this.sent) {
      if (event.type !== 'conversation.item.create' || event.item.type !== 'function_call_output') continue
      if (event.item.call_id === ref) return event.item.output
    }
    return undefined
  }

  begins(): { id: string; done(how?: Done): void } {
    const id = this.name('resp')
    this.active = id
    const response = { id, object: 'realtime.response', status: 'in_progress' } as const
    this.tell({ type: 'response.created', event_id: this.name('event'), response })
    const done = (how: Done = {}) => {
      this.active = undefined
      const usage = { input_tokens: 120, output_tokens: 40, total_tokens: 160 }
      const whole = { id, object: 'realtime.response', status: 'completed', usage, ...how } as const
      this.tell({ type: 'response.done', event_id: this.name('event'), response: whole })
    }
    return { id, done }
  }

  sounds(): { over(): void } {
    const at = { event_id: this.name('event'), response_id: this.name('resp') }
    this.tell({ type: 'output_audio_buffer.started', ...at })
    return { over: () => this.tell({ type: 'output_audio_buffer.stopped', ...at }) }
  }

  tell(message: RealtimeServerEvent | string | Buffer): void {
    const isPlain = typeof message === 'string' || Buffer.isBuffer(message)
    for (const socket of this.sockets) socket.send(isPlain ? message : JSON.stringify(message))
  }

  hangUp(): void {
    this.state = 'over'
    for (const socket of this.sockets) socket.close(1000)
  }

  drop(code?: number): void {
    for (const socket of this.sockets) {
      if (code === undefined) socket.terminate()
      else socket.close(code)
    }
  }

  private take(event: RealtimeClientEvent): void {
    this.sent.push(event)
    if (event.type !== 'response.create') return
    if (this.active !== undefined) {
      const code = 'conversation_already_has_active_response'
      const error = { type: 'invalid_request_error', code, message: `${this.active} is going on` }
      return this.tell({ type: 'error', event_id: this.name('event'), error })
    }
    const [, words] = /^Begin the call\..*?: (.*)$/s.exec(event.response?.instructions ?? '') ?? []
    if (this.answersItself()) this.says(words ?? 'All right.')
  }

  private name(kind: string): string {
    return `${kind}_${this.id}_${++this.count}`
  }
}

function incoming(call_id: string, headers: Record<string, string>): RealtimeCallIncomingWebhookEvent {
  const plain = { From: 'sip:+4930111@sip.example.com', To: 'sip:+4930222@sip.example.com', ...headers }
  const sip_headers: SipHeaders = Object.entries(plain).map(([name, value]) => ({ name, value }))
  return {
    object: 'event',
    id: `evt_${call_id}`,
    type: 'realtime.call.incoming',
    created_at: Math.floor(Date.now() / 1_000),
    data: { call_id, sip_headers },
  }
}

function statusOf({ headers }: IncomingMessage, path: string, call: CallState | undefined): number {
  if (headers.authorization !== `Bearer ${REALTIME_KEY}`) return 401
  return path === '/v1/realtime' && call?.state === 'live' ? 101 : 404
}

/** A refusal repeats what the real one repeats: the key, too. */
function answer(response: ServerResponse, status: number, body?: object): void {
  const error = { message: `No (${status}): the key is ${REALTIME_KEY}`, type: 'test', code: null }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? (status === 200 ? {} : { error })))
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : JSON.parse(text)
}
