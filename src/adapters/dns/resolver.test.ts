import { afterAll, beforeAll, expect, test } from 'vitest'
import { DnsUnavailable } from '#platform/ports/dns.ts'
import { startDnsServer } from '#test/dns-server.ts'
import { freePort } from '#test/programs.ts'
import { openResolver } from './resolver.ts'

const SERVFAIL = 2
const REFUSED = 5
let server: Awaited<ReturnType<typeof startDnsServer>>

beforeAll(async () => {
  server = await startDnsServer({
    'team.example': [['v=spf1 -all'], ['v=DKIM1; ', 'p=abc']],
    'mail.team.example': [],
    'broken.example': SERVFAIL,
    'refused.example': REFUSED,
    'silent.example': 'silent',
  })
})
afterAll(() => server.close())

const at = (address: string) => openResolver({ servers: [address], tryMs: 200, lookupMs: 300 })
const texts = (name: string) => at(server.address).texts(name)

test('the parts of a record are joined', async () => {
  expect(await texts('team.example')).toEqual(['v=spf1 -all', 'v=DKIM1; p=abc'])
})

test('a name without TXT records has none, like one that does not exist', async () => {
  expect(await texts('mail.team.example')).toEqual([])
  expect(await texts('nowhere.example')).toEqual([])
})

test.for([
  ['a server that fails', 'broken.example'],
  ['a server that refuses', 'refused.example'],
  ['a server that does not answer', 'silent.example'],
  ['a name that cannot exist', `${'a'.repeat(64)}.example`],
])('%s says nothing about the records', async ([, name]) => {
  await expect(texts(name!)).rejects.toThrow(DnsUnavailable)
})

test('nor does a server that is not there', async () => {
  await expect(at(`127.0.0.1:${await freePort()}`).texts('team.example')).rejects.toThrow(DnsUnavailable)
})
