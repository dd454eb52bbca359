import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Heard = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
/** What to answer; undefined when the test answers by itself, or not at all. */
export type Answered = { status?: number; body?: unknown } | undefined

/** A provider that answers as told and remembers what it was asked. */
export async function startHttp(answer: (heard: Heard, response: ServerResponse) => Answered) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString() }
    heard.push(asked)
    const answered = answer(asked, response)
    if (!answered) return
    const { status = 200, body = {} } = answered
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
