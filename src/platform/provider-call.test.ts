import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '#test/programs.ts'
import { startHttp } from '#test/http-server.ts'
import { startHttps } from '#test/https.ts'
import { HeldBack } from './ports/mail.ts'
import { callProvider, parsed, ProviderSilent, type ProviderRequest } from './provider-call.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const bounds = { timeoutMs: 2_000, bytesMax: 1_000 }
const call = (url: string, more: Partial<ProviderRequest> = {}) =>
  callProvider('Acme', url, { method: 'POST', headers: { 'x-key': 'k' }, body: 'grüße', ...bounds, ...more })
const failed = (url: string, more: Partial<ProviderRequest> = {}) =>
  call(url, more).catch((error: unknown) => error as ProviderSilent)

test('says what was asked, and hands on what was answered, whatever its status', async () => {
  const provider = await start(() => ({ status: 418, body: 'short' }))
  expect(await call(`${provider.url}/a?b=1`)).toEqual({ status: 418, body: 'short' })
  expect(provider.heard).toMatchObject([
    { method: 'POST', url: '/a?b=1', headers: { 'x-key': 'k', 'content-length': '7' }, body: 'grüße' },
  ])
})

test('follows nobody elsewhere', async () => {
  const provider = await start((_, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
    return undefined
  })
  expect(await call(provider.url)).toEqual({ status: 302, body: '' })
  expect(provider.heard).toHaveLength(1)
})

test('asks once more whether it may go when the connection stands, and not a byte has left', async () => {
  const { url, bytes } = await startRaw(() => {})
  expect(await failed(url, { mayGo: () => false })).toBeInstanceOf(HeldBack)
  expect(bytes()).toBe(0)
})

test('a provider that is down has heard nothing', async () => {
  const failure = await failed(`http://127.0.0.1:${await freePort()}`)
  expect(failure).toMatchObject({ constructor: ProviderSilent, left: false })
  expect(failure).toMatchObject({ message: expect.stringMatching(/^Acme did not answer: .*ECONNREFUSED/) })
})

test('a provider is believed by its certificate alone, and without has heard nothing', async () => {
  let heard = 0
  const { url, close } = await startHttps((_request, response) => {
    heard++
    response.end('yes')
  })
  closing.push(close)
  expect(await call(url)).toEqual({ status: 200, body: 'yes' })
  const failure = await failed(url.replace('localhost', '0.0.0.0'))
  expect(failure).toMatchObject({ constructor: ProviderSilent, left: false })
  expect(heard).toBe(1)
})

test('a provider that hangs up after the request may have heard it', async () => {
  const { url } = await startRaw(socket => socket.destroy())
  expect(await failed(url)).toMatchObject({ constructor: ProviderSilent, left: true })
})

test('a provider that falls silent is left in time, and may have heard it', async () => {
  const { url } = await startRaw(() => {})
  expect(await failed(url, { timeoutMs: 500 })).toMatchObject({
    left: true,
    message: 'Acme did not answer within 0.5 seconds',
  })
})

test('a provider that trickles its answer is left in time as well', async () => {
  const { url } = await startRaw(socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  expect(await failed(url, { timeoutMs: 1_000 })).toMatchObject({ constructor: ProviderSilent, left: true })
})

test('an answer has an end', async () => {
  const provider = await start(() => ({ body: 'x'.repeat(1_000) }))
  expect((await call(provider.url)).body).toHaveLength(1_000)
  const longer = await start(() => ({ body: 'x'.repeat(1_001) }))
  expect(await failed(longer.url)).toMatchObject({
    left: true,
    message: expect.stringContaining('1000 bytes'),
  })
})

test('what is no JSON object has no value', () => {
  expect(parsed('{"a":1}')).toEqual({ a: 1 })
  for (const text of ['', 'null', '1', '"a"', '{', '<html>']) expect(parsed(text)).toBeUndefined()
})

async function start(answer: Parameters<typeof startHttp>[0]) {
  const server = await startHttp(answer)
  closing.push(() => server.close())
  return server
}

/** Takes a connection, counts what comes, and then does as told. */
async function startRaw(heard: (socket: Socket) => void) {
  let bytes = 0
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => heard(socket))
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>(resolve => server.close(() => resolve()))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes }
}
