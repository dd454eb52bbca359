import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '#domains/identity/cookie.ts'
import { ownPath, signInPath } from '#domains/identity/return-to.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import type { Runtime } from '#platform/context.ts'
import { holdsTag } from './conditional.ts'
import { nothingHere } from './problems.ts'

const ASSETS = '/assets/'
const COMPRESSED_BYTES_MIN = 1_024
const FOREVER = 'public, max-age=31536000, immutable'
const SHORT = 'public, max-age=300'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

type File = { type: string; plain: Buffer; packed: () => Buffer | undefined; etag: string; cache: string }

/** The built app, read at the start and compressed when first asked for: a few megabytes, served from memory. */
export function serveWeb(server: FastifyInstance, runtime: Runtime, folder: string): void {
  const files = readFiles(folder)
  const index = files.get('/index.html')
  if (!index) throw new Error('The web app has not been built. Run npm run build.')
  const indexText = index.plain.toString()
  const cookie = cookieName(runtime.settings)

  server.get(`${ASSETS}*`, (request, reply) => {
    const file = files.get(request.url.split('?', 1)[0]!)
    if (!file) throw nothingHere()
    return sendFile(request, reply, file)
  })
  for (const [path, file] of files) {
    if (path === '/index.html' || path.startsWith(ASSETS)) continue
    server.get(path, (request, reply) => sendFile(request, reply, file))
  }
  // Every other page is the app's own: the router in the browser knows it. Without a session, it is the sign-in page.
  server.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) throw nothingHere()
    if (!request.headers.cookie?.includes(`${cookie}=`))
      return reply.redirect(signInPath(ownPath(request.url)))
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type(index.type)
      .headers({ 'content-security-policy': contentPolicy({ nonce }), 'cache-control': 'no-store' })
      .send(indexText.replaceAll('__CSP_NONCE__', nonce))
  })
}

function isPage(request: FastifyRequest): boolean {
  const asked = request.headers.accept ?? ''
  return (
    request.method === 'GET' &&
    asked.includes('text/html') &&
    !request.url.startsWith('/api/') &&
    !request.url.startsWith(ASSETS)
  )
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: File) {
  reply.headers({ etag: file.etag, 'cache-control': file.cache, vary: 'accept-encoding' }).type(file.type)
  if (holdsTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const packed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? file.packed() : undefined
  if (packed) return reply.header('content-encoding', 'gzip').send(packed)
  return reply.send(file.plain)
}

function readFiles(folder: string): Map<string, File> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const paths = entries.map(
    entry => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')}`,
  )
  // The build's own notes and source maps are not for everybody.
  const served = paths.filter(path => !path.startsWith('/.vite/') && !path.endsWith('.map'))
  return new Map(served.map(path => [path, readOne(folder, path)]))
}

function readOne(folder: string, path: string): File {
  const plain = readFileSync(join(folder, path))
  const isWorthwhile = plain.length >= COMPRESSED_BYTES_MIN && /\.(js|css|svg|json|html)$/.test(path)
  let packed: Buffer | undefined
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    plain,
    packed: () => (isWorthwhile ? (packed ??= gzipSync(plain, { level: 9 })) : undefined),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`,
    // What the build names by its content never changes under that name.
    cache: path.startsWith(ASSETS) ? FOREVER : SHORT,
  }
}
