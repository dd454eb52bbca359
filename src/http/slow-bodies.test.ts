import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cutSlowBodies } from './slow-bodies.ts'

const TIMEOUT_MS = 1_000
const server = fastify()
let port: number

beforeAll(async () => {
  cutSlowBodies(server, { timeoutMs: TIMEOUT_MS, everyMs: 20 })
  server.addContentTypeParser('text/csv', (_request, body, done) => done(null, body))
  server.post('/record', async () => 'kept')
  server.post('/file', { config: { upload: 'text/csv' } }, async request => {
    if (request.headers['x-refused']) throw Object.assign(new Error('refused'), { statusCode: 403 })
    return `read ${(await readText(request.body as NodeJS.ReadableStream)).length}`
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as { port: number }).port
})
afterAll(() => server.close())

/** Sends the head and the beginning of a body of ten bytes, and the rest after so long. */
async function send(path: string, type: string, restAfterMs: number, headers = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n${headers}\r\n`
  socket.write(`${head}"1234`)
  const answer = readText(socket)
  await Promise.race([pause(restAfterMs), answer])
  socket.end('5678"')
  return answer
}

test('a body that takes too long is a 408, and one that is only slow is read', async () => {
  expect(await send('/record', 'application/json', TIMEOUT_MS * 10)).toMatch(/^HTTP\/1.1 408 /)
  expect(await send('/record', 'application/json', TIMEOUT_MS / 20)).toMatch(/^HTTP\/1.1 200 /)
})

test('a file has more time', async () => {
  expect(await send('/file', 'text/csv', TIMEOUT_MS * 2)).toMatch(/read 10/)
})

test('a file that was refused is given no more time than any other body', async () => {
  const began = performance.now()
  const answer = await send('/file', 'text/csv', TIMEOUT_MS * 50, 'X-Refused: yes\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 403 /)
  expect(performance.now() - began).toBeLessThan(TIMEOUT_MS * 25)
})
