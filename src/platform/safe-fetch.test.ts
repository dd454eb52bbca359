import { createServer as createPlain, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttps } from '#test/https.ts'
import { isPublic, OutboundError, safeFetch, safeFetchBytes } from './safe-fetch.ts'

const nobody = { outboundAllowHosts: [] }
const local = { outboundAllowHosts: ['localhost'] }
const bounds = { timeoutMs: 2_000, bytesMax: 1_000 }
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'
let server: Awaited<ReturnType<typeof startHttps>>
let asked: string[] = []

beforeAll(async () => {
  server = await startHttps((request, response) => {
    asked.push(request.url!)
    if (request.url === '/slow') return
    if (request.url === '/large') return void response.end('x'.repeat(1_001))
    if (request.url === '/full') return void response.end('x'.repeat(1_000))
    if (request.url === '/upgrade') return void request.socket.write(UPGRADE)
    if (request.url === '/signs') return void response.end('ééééx€€')
    if (request.url === '/endless') return void pour(response)
    if (request.url === '/bytes') return void response.end(Buffer.from([0xff, 0xfe, 0x00, 0x80]))
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    request.on('data', () => {})
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`${request.method} ${request.headers['user-agent']}`)
  })
})
afterAll(() => server.close())

/** For as long as anybody listens. */
function pour(response: ServerResponse): void {
  while (response.writable && response.write('x'.repeat(10_000)));
  if (response.writable) response.once('drain', () => pour(response))
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(OutboundError)
  return (error as OutboundError).code
}

describe('addresses', () => {
  test.for([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '::7f00:1',
    '::a00:1',
    '4000::1',
    '1::1',
    'e000::1',
    'nonsense',
    '',
  ])('%s is not public', address => expect(isPublic(address)).toBe(false))

  test.for(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:1.1.1.1'])(
    '%s is public',
    address => expect(isPublic(address)).toBe(true),
  )
})

describe('a call is not made', () => {
  test.for([
    ['http://example.com/', 'https_required'],
    ['ftp://example.com/', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['nonsense', 'https_required'],
    ['https://127.0.0.1/', 'address_refused'],
    ['https://[::1]/', 'address_refused'],
    ['https://[::ffff:127.0.0.1]/', 'address_refused'],
    ['https://2130706433/', 'address_refused'],
    ['https://0x7f.1/', 'address_refused'],
    ['https://169.254.169.254/latest/meta-data', 'address_refused'],
    ['https://localhost/', 'address_refused'],
  ])('to %s', async ([address, code]) => {
    expect(await refusal(safeFetch(nobody, address!, bounds))).toBe(code)
  })

  test('to a name that stands for this machine, and nothing arrives there', async () => {
    asked = []
    const call = safeFetch(nobody, `${server.url}/x`, bounds)
    expect(await refusal(call)).toBe('address_refused')
    // What a name stands for in here is nobody's business out there.
    await expect(call).rejects.toThrow(/^localhost is not a public address\.$/)
    expect(asked).toEqual([])
  })

  test('by http, unless the caller may and the operator allows the host', async () => {
    const plain = createPlain((_, response) => response.end('plain')).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const address = `http://localhost:${(plain.address() as AddressInfo).port}/`
    const may = { ...bounds, plain: 'at_allowed_hosts' } as const
    expect(await refusal(safeFetch(local, address, bounds))).toBe('https_required')
    expect(await refusal(safeFetch(nobody, address, may))).toBe('https_required')
    expect(await safeFetch(local, address, may)).toMatchObject({ status: 200, body: 'plain' })
    plain.closeAllConnections()
    plain.close()
  })
})

describe('a call', () => {
  test('to a host that the operator allows is made, with what was asked', async () => {
    const answer = await safeFetch(local, `${server.url}/x`, { ...bounds, method: 'POST', body: 'hello' })
    expect(answer).toMatchObject({
      status: 200,
      body: 'POST Rapport',
      headers: { 'content-type': 'text/plain' },
    })
  })

  test('does not follow a redirect', async () => {
    asked = []
    expect((await safeFetch(local, `${server.url}/redirect`, bounds)).status).toBe(302)
    expect(asked).toEqual(['/redirect'])
  })

  test('takes an answer up to its limit, and not one byte more', async () => {
    expect((await safeFetch(local, `${server.url}/full`, bounds)).body).toHaveLength(1_000)
    expect(await refusal(safeFetch(local, `${server.url}/large`, bounds))).toBe('too_large')
  })

  test('takes the beginning of a longer answer where that will do, and no half character', async () => {
    const cut = { ...bounds, longer: 'is_cut' } as const
    const bodyOf = async (path: string, bytesMax = 1_000) =>
      (await safeFetch(local, server.url + path, { ...cut, bytesMax })).body
    expect(await bodyOf('/full')).toBe('x'.repeat(1_000))
    expect(await bodyOf('/large')).toBe('x'.repeat(1_000))
    expect(await bodyOf('/endless')).toHaveLength(1_000)
    const cuts = await Promise.all([9, 10, 11, 12].map(bytes => bodyOf('/signs', bytes)))
    expect(cuts).toEqual(['ééééx', 'ééééx', 'ééééx', 'ééééx€'])
  })

  test('ends after its time', async () => {
    expect(await refusal(safeFetch(local, `${server.url}/slow`, { ...bounds, timeoutMs: 100 }))).toBe(
      'timeout',
    )
  })

  test('fails where the server wants to speak another protocol', async () => {
    expect(await refusal(safeFetch(local, `${server.url}/upgrade`, bounds))).toBe('failed')
  })

  test('to a server without a certificate that holds fails', async () => {
    const plain = createPlain().listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const url = `https://localhost:${(plain.address() as AddressInfo).port}/`
    expect(await refusal(safeFetch(local, url, bounds))).toBe('failed')
    plain.close()
  })
})

describe('a call for bytes', () => {
  test('gets them as they came', async () => {
    const answer = await safeFetchBytes(local, `${server.url}/bytes`, bounds)
    expect(answer).toMatchObject({ status: 200, isCut: false })
    expect([...answer.body]).toEqual([0xff, 0xfe, 0x00, 0x80])
  })

  test('gets as many as it wants, and is told that there were more', async () => {
    const cut = { ...bounds, longer: 'is_cut' } as const
    const full = await safeFetchBytes(local, `${server.url}/full`, cut)
    expect([full.body.length, full.isCut]).toEqual([1_000, false])
    const large = await safeFetchBytes(local, `${server.url}/large`, cut)
    expect([large.body.length, large.isCut]).toEqual([1_000, true])
    expect(await refusal(safeFetchBytes(local, `${server.url}/large`, bounds))).toBe('too_large')
  })

  test('obeys the same rules', async () => {
    expect(await refusal(safeFetchBytes(nobody, `${server.url}/x`, bounds))).toBe('address_refused')
    expect(await refusal(safeFetchBytes(local, 'http://localhost/', bounds))).toBe('https_required')
    expect(await refusal(safeFetchBytes(local, `${server.url}/slow`, { ...bounds, timeoutMs: 100 }))).toBe(
      'timeout',
    )
  })

  test('can be given up', async () => {
    const leaving = new AbortController()
    asked = []
    const calling = refusal(
      safeFetchBytes(local, `${server.url}/slow`, { ...bounds, signal: leaving.signal }),
    )
    await expect.poll(() => asked).toEqual(['/slow'])
    leaving.abort()
    expect(await calling).toBe('failed')
    const late = safeFetchBytes(local, `${server.url}/late`, { ...bounds, signal: leaving.signal })
    expect(await refusal(late)).toBe('failed')
    expect(asked).toEqual(['/slow'])
  })
})
