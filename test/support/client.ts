export type Reply<Body = any> = { status: number; headers: Headers; body: Body; text: string }

/** Bytes, or a stream of them whose length is not told ahead. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | Blob

export type Client = {
  headers: Record<string, string>
  get<Body = any>(path: string, headers?: Record<string, string>): Promise<Reply<Body>>
  post<Body = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
  patch<Body = any>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<Body>>
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
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body, duplex: 'half' }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson(response) && text ? JSON.parse(text) : undefined,
    }
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
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  }
}

function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '')
}
