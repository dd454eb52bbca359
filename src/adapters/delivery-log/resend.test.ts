import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '#test/programs.ts'
import { startHttp, type Heard } from '#test/http-server.ts'
import { openResendLog } from './resend.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Listed = Record<string, unknown>

/** As Resend lists a mail. */
function listed(at: number, more: Listed = {}): Listed {
  return {
    id: `id-${at}`,
    message_id: `<${at}@crm.example.com>`,
    to: ['ada@customer.example'],
    from: 'Grace <crm@example.com>',
    created_at: new Date(Date.UTC(2026, 2, 2, 10) - at * 60_000).toISOString().replace('Z', '000+00:00'),
    subject: `Mail ${at}`,
    last_event: 'delivered',
    ...more,
  }
}

/** The list, newest first, in pages as asked for. */
async function start(mails: Listed[]) {
  const provider = await startHttp(({ url }: Heard) => {
    const { searchParams } = new URL(url, 'http://x')
    const begin = mails.findIndex(mail => mail['id'] === searchParams.get('after')) + 1
    const end = begin + Number(searchParams.get('limit'))
    return { body: { object: 'list', has_more: end < mails.length, data: mails.slice(begin, end) } }
  })
  closing.push(() => provider.close())
  return { log: openResendLog({ apiKey: 'canary-key', baseUrl: provider.url }), heard: provider.heard }
}

const LONG_AGO = '2020-01-01T00:00:00.000Z'

test('tells what became of each mail, newest first, by the ids of both', async () => {
  const { log, heard } = await start([listed(1, { last_event: 'bounced', subject: 'Grüße' })])
  expect(log.kind).toBe('resend')
  expect(await log.read(LONG_AGO, 10)).toEqual([
    {
      type: 'bounced',
      message_id: '<1@crm.example.com>',
      provider_id: 'id-1',
      to: 'ada@customer.example',
      subject: 'Grüße',
      sent_at: '2026-03-02T09:59:00.000Z',
    },
  ])
  expect(heard).toMatchObject([
    { method: 'GET', url: '/emails?limit=10', headers: { authorization: 'Bearer canary-key' } },
  ])
})

test.for<[string, string | undefined]>([
  ['delivered', 'delivered'],
  ['opened', 'opened'],
  ['clicked', 'opened'],
  ['bounced', 'bounced'],
  ['complained', 'complained'],
  ['sent', undefined],
  ['queued', undefined],
  ['scheduled', undefined],
  ['delivery_delayed', undefined],
  ['canceled', undefined],
  ['failed', undefined],
  ['suppressed', undefined],
  ['constructor', undefined],
])('%s is %s', async ([last_event, type]) => {
  const { log } = await start([listed(1, { last_event })])
  expect((await log.read(LONG_AGO, 10)).map(event => event.type)).toEqual(type ? [type] : [])
})

describe('a long list', () => {
  const mails = Array.from({ length: 250 }, (_, at) => listed(at))

  test('is read page by page', async () => {
    const { log, heard } = await start(mails)
    expect(await log.read(LONG_AGO, 1_000)).toHaveLength(250)
    expect(heard.map(({ url }) => url)).toEqual([
      '/emails?limit=100',
      '/emails?limit=100&after=id-99',
      '/emails?limit=100&after=id-199',
    ])
  })

  test('is read as far as asked', async () => {
    const { log, heard } = await start(mails)
    expect(await log.read(LONG_AGO, 101)).toHaveLength(101)
    expect(heard.map(({ url }) => url)).toEqual(['/emails?limit=100', '/emails?limit=1&after=id-99'])
  })

  test('is read back to the time asked for, that moment included', async () => {
    const { log, heard } = await start(mails)
    const since = new Date(Date.UTC(2026, 2, 2, 10) - 3 * 60_000).toISOString()
    expect((await log.read(since, 1_000)).map(event => event.provider_id)).toEqual([
      'id-0',
      'id-1',
      'id-2',
      'id-3',
    ])
    expect(heard).toHaveLength(1)
  })
})

test('takes what is missing or written otherwise', async () => {
  const { log } = await start([
    listed(1, { message_id: undefined, to: 'Ada <ada@customer.example>', subject: null }),
    listed(2, { created_at: '2026-03-02 09:00:00.123456+00' }),
    listed(3, { to: [] }),
    listed(4, { created_at: 'yesterday' }),
  ])
  expect(await log.read(LONG_AGO, 10)).toMatchObject([
    { message_id: null, to: 'ada@customer.example', subject: '' },
    { sent_at: '2026-03-02T09:00:00.123Z' },
  ])
})

test('a list that never ends is left after fifty pages', async () => {
  let page = 0
  const provider = await startHttp(() => ({
    body: { has_more: true, data: [listed(0, { id: `id-${++page}` })] },
  }))
  closing.push(() => provider.close())
  const log = openResendLog({ apiKey: 'k', baseUrl: provider.url })
  expect(await log.read(LONG_AGO, 100_000)).toHaveLength(50)
})

test.for<[number, unknown, RegExp]>([
  [401, {}, /rejected the API key/],
  [403, {}, /rejected the API key/],
  [429, {}, /answered 429/],
  [500, 'oops', /answered 500/],
  [200, 'oops', /answered 200/],
  [200, { data: 'none' }, /answered 200/],
])('an answer of %d %j is an error without the key in it', async ([status, body, message]) => {
  const provider = await startHttp(() => ({ status, body }))
  closing.push(() => provider.close())
  const log = openResendLog({ apiKey: 'canary-key', baseUrl: `${provider.url}/` })
  const failure = await log.read(LONG_AGO, 10).catch((error: Error) => error)
  expect((failure as Error).message).toMatch(message)
  expect((failure as Error).message).not.toContain('canary')
  await expect(log.check()).rejects.toThrow(message)
})

test('a provider that is down or silent is an error', async () => {
  const down = openResendLog({ apiKey: 'k', baseUrl: `http://127.0.0.1:${await freePort()}` })
  await expect(down.check()).rejects.toThrow(/Resend did not answer: .*ECONNREFUSED/)
  const silent = await startHttp(() => undefined)
  closing.push(() => silent.close())
  const log = openResendLog({ apiKey: 'k', baseUrl: silent.url }, { timeoutMs: 100 })
  await expect(log.read(LONG_AGO, 1)).rejects.toThrow('within 0.1 seconds')
})
