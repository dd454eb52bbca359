import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { afterAttempts, connected, send, startReceiver, type Receiver } from './deliveries.harness.ts'
import { sendTest } from './service.ts'

/** Names whose addresses a test decides, each time they are asked for. */
const names = new Map<string, () => dns.LookupAddress[]>()
const looked: string[] = []

type Answer = (error: Error | null, addresses: dns.LookupAddress[]) => void
const { lookup } = dns

/** Of the whole process, as long as this file runs. */
function answerLookups(by: unknown): void {
  Object.assign(dns, { lookup: by })
  syncBuiltinESMExports()
}

function lookupHere(name: string, options: object, done: Answer): void {
  const answer = names.get(name)
  if (!answer) return lookup(name, options as { all: true }, done)
  looked.push(name)
  done(null, answer())
}

const clock = new FakeClock()
let app: TestApp
let ada: Person
let receiver: Receiver
let local: Server
let connections = 0
let port = 0

beforeAll(async () => {
  answerLookups(lookupHere)
  receiver = await startReceiver()
  // On every address of this machine, old and new: whoever connects is counted.
  local = createServer(socket => {
    connections++
    socket.destroy()
  }).listen(0)
  await once(local, 'listening')
  port = (local.address() as AddressInfo).port
  app = await startApp({ clock, config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
  local.close()
  answerLookups(lookup)
})
beforeEach(() => {
  connections = 0
  looked.length = 0
})

const loopback: dns.LookupAddress = { address: '127.0.0.1', family: 4 }
// Public by its kind, and given to nobody: what is sent there reaches no one.
const outside: dns.LookupAddress = { address: '2d00::1', family: 6 }

/** Sends there, by a delivery and as a test, and answers what was noted. */
async function errorsAt(url: string): Promise<(string | null)[]> {
  const endpoint = await connected(ada, url)
  const delivery = await afterAttempts(ada, await send(ada, endpoint), 1)
  expect(delivery).toMatchObject({ status: 'PENDING', last_status: null })
  const event = { event_id: newId(), type: 'form.submitted', data: {} }
  const tested = await sendTest(ada.ctx, endpoint.owner, url, event)
  expect(tested).toMatchObject({ delivered: false, response_status: null })
  return [delivery.last_error, tested.error]
}

test('the counting server counts', async () => {
  const fetched = fetch(`http://127.0.0.1:${port}/`)
  await expect(fetched).rejects.toThrow()
  expect(connections).toBe(1)
})

describe('no connection is made', () => {
  test.for([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[::7f00:1]',
    '[4000::1]',
    '127。0。0。1',
    '①②⑦.0.0.1',
  ])('to https://%s', async host => {
    const errors = await errorsAt(`https://${host}:${port}/`)
    for (const error of errors) expect(error).toContain('is not a public address')
    expect(connections).toBe(0)
  })

  test.for([
    ['this machine', [loopback]],
    ['this machine, by IPv6', [{ address: '::1', family: 6 }]],
    ['this machine, by IPv4 within IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a metadata service', [{ address: '169.254.169.254', family: 4 }]],
    ['the outside and this machine', [outside, loopback]],
    ['nothing', []],
  ] as const)('to a name that stands for %s', async ([, addresses]) => {
    names.set('inside.example.test', () => [...addresses])
    const errors = await errorsAt(`https://inside.example.test:${port}/`)
    for (const error of errors) expect(error).toContain('is not a public address')
    expect(connections).toBe(0)
  })

  test('to a name that stands for the outside when it is first asked for, and for this machine afterwards', async () => {
    let asked = 0
    names.set('flips.example.test', () => (++asked % 2 === 1 ? [outside] : [loopback]))
    const url = `https://flips.example.test:${port}/`
    const endpoint = await connected(ada, url)
    const event = { event_id: newId(), type: 'form.submitted', data: {} }
    // What was answered is what is connected to: nobody asks a second time between looking and connecting.
    const first = await sendTest(ada.ctx, endpoint.owner, url, event)
    expect(looked).toHaveLength(1)
    expect(first.delivered).toBe(false)
    expect(first.error).not.toContain('is not a public address')
    const second = await sendTest(ada.ctx, endpoint.owner, url, event)
    expect(second.error).toBe('flips.example.test is not a public address.')
    expect(looked).toHaveLength(2)
    expect(connections).toBe(0)
  })

  test('by a redirect to this machine', async () => {
    receiver.set('/away', { status: 302, headers: { location: `https://127.0.0.1:${port}/` } })
    const endpoint = await connected(ada, `${receiver.url}/away`)
    const delivery = await afterAttempts(ada, await send(ada, endpoint), 1)
    expect(delivery).toMatchObject({ status: 'PENDING', last_status: 302 })
    expect(connections).toBe(0)
  })
})
