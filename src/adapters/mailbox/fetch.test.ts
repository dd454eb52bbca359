import { afterEach, expect, test } from 'vitest'
import { IMAP_PASSWORD, IMAP_USER, startImapServer } from '#test/imap-server.ts'
import { MailboxRefused, MailboxUnavailable, type MailboxPlace } from '#platform/ports/mailbox.ts'
import { fetchAfter } from './fetch.ts'
import { visit, type Account } from './session.ts'

const DAY_MS = 86_400_000
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start() {
  const server = await startImapServer()
  closing.push(() => server.close())
  const account: Account = {
    host: '127.0.0.1',
    port: Number(new URL(server.url).port),
    security: 'none',
    username: IMAP_USER,
    secret: { kind: 'password', password: IMAP_PASSWORD },
    folder: 'INBOX',
  }
  const read = async (from: MailboxPlace | { since: string } | undefined, limit = 10) => {
    const { found, ...rest } = await visit(account, {}, client => fetchAfter(client, from, limit))
    return {
      ...rest,
      found: found.map(({ raw }) => /Subject: (.*?)\r/.exec(Buffer.from(raw).toString())![1]),
    }
  }
  return { server, account, read }
}

test('history is read from the first mail that came since then, to the hour', async () => {
  const { server, read } = await start()
  const now = Date.now()
  const deliver = (subject: string, daysAgo: number) =>
    server.deliver(`Subject: ${subject}\r\n\r\nx`, { at: new Date(now - daysAgo * DAY_MS) })
  for (const [subject, days] of [
    ['old', 40],
    ['hours before', 30.1],
    ['hours after', 29.9],
    ['new', 1],
  ] as const)
    deliver(subject, days)
  const since = new Date(now - 30 * DAY_MS).toISOString()
  const one = await read({ since }, 1)
  expect(one).toMatchObject({ found: ['hours after'], more: true })
  expect(await read(one.place)).toMatchObject({ found: ['new'], more: false })
  expect(await read({ since: new Date(now).toISOString() })).toMatchObject({
    found: [],
    place: { uid: 4 },
    more: false,
  })
})

test('who is not let in is refused, and who is not heard is unavailable', async () => {
  const { server, account } = await start()
  const wrong: Account = { ...account, secret: { kind: 'password', password: 'canary' } }
  const refused = await visit(wrong, {}, async () => {}).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(MailboxRefused)
  expect((refused as Error).message).toBe('it rejected the user name or password')
  server.silence('EXAMINE')
  const silent = await visit(account, { readMs: 300 }, async () => {}).catch((error: Error) => error)
  expect(silent).toBeInstanceOf(MailboxUnavailable)
  expect((silent as Error).message).toBe('no response within 0.3 seconds')
})

test('a connection that asks for TLS is not made without it', async () => {
  const { server, account } = await start()
  const failure = await visit({ ...account, security: 'starttls' }, {}, async () => {}).catch(
    (error: Error) => error,
  )
  expect(failure).toBeInstanceOf(MailboxUnavailable)
  expect(server.heard.filter(said => /^(LOGIN|AUTHENTICATE)/.test(said))).toEqual([])
})
