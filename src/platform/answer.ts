/** What a handler returns when its answer is not plain JSON: a page, a redirect, a stream. */
export class Answer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string | Buffer | AsyncIterable<string | Uint8Array> | undefined

  constructor(status: number, headers: Record<string, string | string[]>, body?: Answer['body']) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

export function redirect(location: string, cookies: string[] = []): Answer {
  return new Answer(302, {
    location,
    'cache-control': 'no-store',
    ...(cookies.length && { 'set-cookie': cookies }),
  })
}

export function page(html: string, status = 200, headers: Answer['headers'] = {}): Answer {
  const always = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Answer(status, { ...always, ...headers }, html)
}
