import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { HeldBack, type Handover } from './ports/mail.ts'

export type ProviderRequest = Handover & {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  bytesMax: number
}

export type ProviderAnswer = { status: number; body: string }
export type ProviderFile = { status: number; type: string | undefined; bytes: Buffer }

/** No answer came. `left`: the request had gone out, so that it may have been heard. */
export class ProviderSilent extends Error {
  readonly left: boolean

  constructor(message: string, { left, cause }: { left: boolean; cause: unknown }) {
    super(message, { cause })
    this.left = left
  }
}

/** An answer that is larger than asked for; the cause of a `ProviderSilent`. */
export class TooLarge extends Error {}

/**
 * One call to a provider that the operator has configured; user-supplied URLs go through `safeFetch`. Each
 * call has its own connection: it is known to be open before the first byte is written, so it is certain what
 * has been sent, and nothing is lost on a connection that the other side has closed in the meantime.
 */
export async function callProvider(
  label: string,
  address: string,
  asked: ProviderRequest,
): Promise<ProviderAnswer> {
  const { status, bytes } = await callForFile(label, address, asked)
  return { status, body: bytes.toString('utf8') }
}

/** The same for an answer that is no text. */
export async function callForFile(
  label: string,
  address: string,
  asked: ProviderRequest,
): Promise<ProviderFile> {
  const progress = { left: false }
  const signal = AbortSignal.timeout(asked.timeoutMs)
  try {
    const response = await exchanged(new URL(address), asked, signal, progress)
    const { statusCode: status = 0, headers } = response
    return { status, type: headers['content-type'], bytes: await bytesOf(response, asked.bytesMax) }
  } catch (error) {
    if (error instanceof HeldBack) throw error
    const reason = signal.aborted ? ` within ${asked.timeoutMs / 1_000} seconds` : `: ${reasonOf(error)}`
    throw new ProviderSilent(`${label} did not answer${reason}`, { left: progress.left, cause: error })
  }
}

/** The value of a JSON answer; undefined when it is none. */
export function parsed<Value>(body: string): Partial<Value> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function exchanged(
  url: URL,
  { method, headers, body = '', mayGo = () => true }: ProviderRequest,
  signal: AbortSignal,
  progress: { left: boolean },
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method,
      headers: { 'user-agent': 'Rapport', ...headers, ...length },
      agent: false,
      signal,
    })
    request.once('error', reject)
    request.once('response', resolve)
    // Not even the headers are written before the end is: up to here nothing has left.
    request.once('socket', socket =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        if (!mayGo()) return request.destroy(new HeldBack('The message was not sent'))
        progress.left = true
        request.end(body)
      }),
    )
  })
}

async function bytesOf(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new TooLarge(`more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Two addresses of one host that both refuse make an error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
