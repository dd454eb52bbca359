import { Agent, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export type Reply<Body = any> = { status: number; headers: Headers; body: Body; text: string }

/** Bytes, or a stream of them whose length is not told ahead. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | Blob

export type Client = {
  headers: Record<string, string>
  get<Body = any>(path: string, headers?: Record<string, string>): Promise<Reply<Body>>
  post<Body = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
  patch<Body = any>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
  put<Body = any>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
  /** Exactly these bytes. */
  raw(method: string, path: string, body: Body | undefined, headers?: Record<string, string>): Promise<Reply>
}

/** Plain HTTP, as a stranger would speak it. */
export function client(url: string, always: Record<string, string> = {}): Client {
  async function raw(
    method: string,
    path: string,
    body: Body | undefined,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const all = { ...always, ...headers }
    const isShort = body === undefined || (typeof body === 'string' && body.length <= SHORT_BODY_MAX)
    const answer = await (isShort ? askShortly : ask)(method, url + path, body as string, all)
    const { text } = answer
    return { ...answer, body: isJson(answer.headers) && text ? JSON.parse(text) : undefined }
  }
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    body === undefined || body instanceof Blob
      ? raw(method, path, body, headers)
      : raw(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  return {
    headers: always,
    raw,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  }
}

type Answer = Omit<Reply, 'body'>

async function ask(
  method: string,
  address: string,
  body: Body | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(address, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body, duplex: 'half' }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Tests ask a hundred thousand times: without `fetch` a question costs a third. */
const SHORT_BODY_MAX = 16_384
const agent = new Agent({ keepAlive: true })

async function askShortly(
  method: string,
  address: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(address)
  const sent = body === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' }
  const length =
    body === undefined && (method === 'GET' || method === 'HEAD')
      ? {}
      : { 'content-length': String(Buffer.byteLength(body ?? '')) }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const question = request(
    {
      agent,
      hostname,
      port,
      method,
      path: pathname + search,
      headers: { accept: '*/*', 'user-agent': 'node', ...sent, ...lower(headers), ...length },
    },
    async response => {
      const told = new Headers()
      for (const [name, values] of Object.entries(response.headersDistinct))
        for (const value of values!) told.append(name, value)
      resolve({ status: response.statusCode!, headers: told, text: await readText(response) })
    },
  )
  question.on('error', (error: NodeJS.ErrnoException) => {
    // The server had closed a connection that was kept: as good as never asked.
    const wasClosed = question.reusedSocket && error.code === 'ECONNRESET'
    if (wasClosed) resolve(askShortly(method, address, body, headers))
    else reject(error)
  })
  question.end(body)
  return promise
}

/** The same name in another spelling is the same header. */
function lower(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function isJson(headers: Headers): boolean {
  return /\bjson\b/.test(headers.get('content-type') ?? '')
}
