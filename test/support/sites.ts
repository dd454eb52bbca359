import dns, { type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Manners } from '#platform/ports/crawler.ts'

const BOMB_BYTES = 64 * 1024 * 1024
const LORIS_EVERY_MS = 50
const HTML = 'text/html; charset=utf-8'

/** What a page answers: by itself, or as it is told. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void)

export type TestSite = {
  /** Without a slash at its end. */
  url: string
  port: number
  /** What was asked for, in its order. */
  heard: { path: string; host: string; headers: IncomingHttpHeaders }[]
  pages: Map<string, Reply>
  /** The paths that were asked for, but for robots.txt. */
  read(): string[]
  close(): Promise<void>
}

/** A web site on this machine. Where it has no page it says 404, also for robots.txt. */
export async function startSite(
  pages: Record<string, Reply | string> = {},
  host = 'localhost',
): Promise<TestSite> {
  const replies = new Map(
    Object.entries(pages).map(([path, reply]) => [path, typeof reply === 'string' ? html(reply) : reply]),
  )
  const heard: TestSite['heard'] = []
  const server = createServer((request, response) => {
    heard.push({ path: request.url!, host: request.headers.host!, headers: request.headers })
    const reply = replies.get(request.url!) ?? { status: 404, body: 'There is no such page.' }
    if (typeof reply === 'function') return reply(request, response)
    response.writeHead(reply.status ?? 200, { 'content-type': HTML, ...reply.headers }).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    port,
    heard,
    pages: replies,
    read: () => heard.map(({ path }) => path).filter(path => path !== '/robots.txt'),
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

export const html = (body: string | Buffer, headers: Record<string, string> = {}): Reply => ({
  body,
  headers,
})
export const robots = (...lines: string[]): Reply => ({
  body: lines.join('\n'),
  headers: { 'content-type': 'text/plain' },
})
export const redirect = (location: string, status = 302): Reply => ({ status, headers: { location } })

/** One byte now and then, so that it is never silent for long. */
export const slowLoris: Reply = (_, response) => {
  response.writeHead(200, { 'content-type': HTML })
  const dripping = setInterval(() => response.write('<'), LORIS_EVERY_MS)
  response.on('close', () => clearInterval(dripping))
}

/** The same before there is an answer at all. */
export const slowHeaders: Reply = ({ socket }) => {
  socket.write('HTTP/1.1 200 OK\r\n')
  const dripping = setInterval(() => socket.write('x'), LORIS_EVERY_MS)
  socket.on('close', () => clearInterval(dripping))
}

/** For as long as anybody listens. */
export const endless: Reply = (_, response) => {
  response.writeHead(200, { 'content-type': HTML })
  const pour = () => {
    while (response.writable && response.write('<p>and so on</p>'.repeat(1_000)));
    if (response.writable) response.once('drain', pour)
  }
  pour()
}

/** A few kilobytes that become 64 MiB. */
export function bomb(encoding: 'gzip' | 'br'): Reply {
  let body = packed.get(encoding)
  if (!body) packed.set(encoding, (body = packSpaces(encoding)))
  return { headers: { 'content-encoding': encoding }, body }
}

/** To pack so much takes longer than most tests. */
const packed = new Map<string, Buffer>()

function packSpaces(encoding: 'gzip' | 'br'): Buffer {
  const spaces = Buffer.alloc(BOMB_BYTES, ' ')
  return encoding === 'gzip'
    ? gzipSync(spaces, { level: 1 })
    : brotliCompressSync(spaces, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

/**
 * Names that exist for this process alone, by their addresses; the call that it answers takes them back. Every other name
 * that ends with `.test` does not exist.
 */
export function nameHosts(names: Record<string, string>): () => void {
  const before = dns.lookup
  const fake = (name: string, given: unknown, done?: unknown) => {
    const answer = (done ?? given) as (error: Error | null, found?: unknown, family?: number) => void
    const options = (typeof given === 'object' ? given : {}) as dns.LookupOptions
    const address = names[name]
    if (address === undefined && !name.endsWith('.test'))
      return before(name, options as object, answer as never)
    const found: LookupAddress = { address: address!, family: address?.includes(':') ? 6 : 4 }
    process.nextTick(() => {
      if (address === undefined)
        answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
      else if (options.all) answer(null, [found])
      else answer(null, found.address, found.family)
    })
  }
  dns.lookup = fake as unknown as typeof dns.lookup
  syncBuiltinESMExports()
  return () => {
    dns.lookup = before
    syncBuiltinESMExports()
  }
}

export type MemoryManners = Manners & {
  kept: Map<string, { text: string; freshForMs: number }>
  turns: { host: string; pauseMs: number }[]
}

/** Nobody waits, unless told how long. */
export function memoryManners(waitMs: (turn: number) => number = () => 0): MemoryManners {
  const kept: MemoryManners['kept'] = new Map()
  const turns: MemoryManners['turns'] = []
  return {
    kept,
    turns,
    findRobots: async host => kept.get(host)?.text,
    keepRobots: async (host, text, freshForMs) => void kept.set(host, { text, freshForMs }),
    takeTurn: async (host, pauseMs) => waitMs(turns.push({ host, pauseMs })),
  }
}
