import PostalMime from 'postal-mime'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeAll, letter } from './email.harness.ts'
import { HeldBack, MailRefused, MailUncertain } from '#platform/ports/mail.ts'
import { MailboxRefused, MailboxUnavailable } from '#platform/ports/mailbox.ts'
import { freePort } from '#test/programs.ts'
import {
  loginAt,
  openServers,
  SENDER,
  startSmtp,
  trustCertificate,
} from '#adapters/mailbox/servers.harness.ts'

beforeAll(trustCertificate)
afterEach(closeAll)

const IMAP_PORT = 1

describe('a mail from a mailbox', () => {
  test('is from it, and goes to exactly its recipients', async () => {
    const smtp = await startSmtp()
    const mailer = openServers().mailer(loginAt(IMAP_PORT, smtp.port), SENDER, '1')
    await mailer.check()
    const sent = await mailer.send({ ...letter, cc: ['bob@example.org'], bcc: ['eve@example.net'] })
    expect(sent).toEqual({ refused: [] })
    const [only] = smtp.arrived
    expect(only!.recipients).toEqual([letter.to, 'bob@example.org', 'eve@example.net'])
    const mail = await PostalMime.parse(only!.bytes)
    expect(mail).toMatchObject({ from: SENDER, cc: [{ address: 'bob@example.org' }] })
    expect(mail.bcc).toBeUndefined()
  })

  test.for(['tls', 'starttls'] as const)(
    'goes by %s, and not where the certificate is another’s',
    async security => {
      const smtp = await startSmtp(
        security === 'tls' ? { secure: true } : { disabledCommands: [], hideSTARTTLS: false },
      )
      const at = (host: string) => loginAt(IMAP_PORT, { host, port: smtp.port, security })
      const servers = openServers()
      await servers.mailer(at('localhost'), SENDER, '1').send(letter)
      expect(smtp.arrived).toHaveLength(1)
      const fault = await failure(servers.mailer(at('127.1'), SENDER, '1').send(letter))
      expect(fault).toBeInstanceOf(MailboxUnavailable)
      expect(fault.message).toMatch(/certificate|altnames/i)
      expect(smtp.signedIn).toHaveLength(1)
    },
  )

  test('does not go to a server that has no TLS, where TLS was asked for', async () => {
    const smtp = await startSmtp()
    const login = loginAt(IMAP_PORT, { host: '127.0.0.1', port: smtp.port, security: 'starttls' })
    expect(await failure(openServers().mailer(login, SENDER, '1').send(letter))).toBeInstanceOf(
      MailboxUnavailable,
    )
    expect([smtp.signedIn, smtp.arrived]).toEqual([[], []])
  })

  test('does not go to a server that asks for no login', async () => {
    const smtp = await startSmtp({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] })
    const mailer = openServers().mailer(loginAt(IMAP_PORT, smtp.port), SENDER, '1')
    expect(await failure(mailer.send(letter))).toBeInstanceOf(Error)
    expect(smtp.arrived).toEqual([])
  })

  test('goes with a token, and one that has ended is refused', async () => {
    const smtp = await startSmtp({}, token => token === 'good')
    const servers = openServers()
    const login = (token: string) => ({
      ...loginAt(IMAP_PORT, smtp.port),
      secret: { kind: 'token' as const, token },
    })
    await servers.mailer(login('good'), SENDER, '1').send(letter)
    expect(smtp.signedIn).toMatchObject([{ method: 'XOAUTH2', accessToken: 'good' }])
    const refusal = await failure(servers.mailer(login('ended'), SENDER, '2').send(letter))
    expect(refusal).toBeInstanceOf(MailboxRefused)
    expect(refusal.message).toMatch(/^The SMTP server 127\.0\.0\.1 rejected the access token/)
  })

  test('tells what is about the login, the server or the mail', async () => {
    const smtp = await startSmtp({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('eve')
            ? Object.assign(new Error('No such person'), { responseCode: 550 })
            : null,
        ),
    })
    const servers = openServers()
    const login = loginAt(IMAP_PORT, smtp.port)
    const wrong = { ...login, secret: { kind: 'password' as const, password: 'not the one' } }
    const send = (with_: typeof login, to = letter.to) =>
      failure(servers.mailer(with_, SENDER, with_ === wrong ? '2' : '1').send({ ...letter, to }))
    const refusal = await send(wrong)
    expect(refusal).toMatchObject({ constructor: MailboxRefused, server: 'smtp' })
    expect(refusal.message).not.toContain('not the one')
    expect(await send(login, 'eve@example.org')).toMatchObject({ constructor: MailRefused, address: true })
    expect(await send(login, 'two, of them')).not.toBeInstanceOf(MailboxUnavailable)
    const held = servers.mailer(login, SENDER, '1').send(letter, { mayGo: () => false })
    expect(await failure(held)).toBeInstanceOf(HeldBack)
    const away = loginAt(IMAP_PORT, await freePort())
    expect(await send(away)).toMatchObject({ constructor: MailboxUnavailable, server: 'smtp' })
  })

  test('whose server falls silent after it left is uncertain', async () => {
    const smtp = await startSmtp({ onData: stream => void stream.resume() })
    const mailer = openServers({ silenceMs: 500 }).mailer(loginAt(IMAP_PORT, smtp.port), SENDER, '1')
    expect(await failure(mailer.send(letter))).toBeInstanceOf(MailUncertain)
  })
})

describe('the connections of mailboxes', () => {
  test('are kept between mails, and at most three each', async () => {
    const smtp = await startSmtp()
    const mailer = openServers().mailer(loginAt(IMAP_PORT, smtp.port), SENDER, '1')
    expect(mailer.lanes).toBe(3)
    for (let mail = 0; mail < 5; mail++) await mailer.send(letter)
    expect(smtp.connections()).toBe(1)
    await Promise.all(Array.from({ length: 20 }, () => mailer.send(letter)))
    expect(smtp.connections()).toBe(3)
    expect(smtp.arrived).toHaveLength(25)
  })

  test('close when nobody has sent for a while', async () => {
    const closed: string[] = []
    const smtp = await startSmtp({ onClose: ({ id }) => void closed.push(id) })
    const mailer = openServers({ idleMs: 50 }).mailer(loginAt(IMAP_PORT, smtp.port), SENDER, '1')
    await mailer.send(letter)
    await expect.poll(() => closed.length).toBe(1)
    await mailer.send(letter)
    expect(smtp.connections()).toBe(2)
  })

  test('of an old login close with the first mail of the new one, after what is under way', async () => {
    const gate = Promise.withResolvers<void>()
    const closed: string[] = []
    const started = Promise.withResolvers<void>()
    const smtp = await startSmtp({
      onClose: ({ id }) => void closed.push(id),
      async onRcptTo({ address }, _session, done) {
        if (!address.startsWith('slow')) return done()
        started.resolve()
        await gate.promise
        done()
      },
    })
    const servers = openServers()
    const login = loginAt(IMAP_PORT, smtp.port)
    const slow = servers.mailer(login, SENDER, '1').send({ ...letter, to: 'slow@example.org' })
    await started.promise
    await servers.mailer(login, SENDER, '2').send(letter)
    expect(closed).toEqual([])
    gate.resolve()
    expect(await slow).toEqual({ refused: [] })
    await expect.poll(() => closed.length).toBe(1)
    await servers.mailer(login, SENDER, '2').send(letter)
    expect([smtp.connections(), smtp.arrived.length]).toEqual([2, 3])
  })

  test('of more mailboxes than may be open take turns', async () => {
    const gate = Promise.withResolvers<void>()
    const waiting: string[] = []
    const smtp = await startSmtp({
      async onRcptTo({ address }, _session, done) {
        waiting.push(address)
        await gate.promise
        done()
      },
    })
    const servers = openServers({ mailboxesMax: 2 })
    const login = loginAt(IMAP_PORT, smtp.port)
    const send = (name: string) =>
      servers
        .mailer({ ...login, address: `${name}@example.com` }, SENDER, '1')
        .send({ ...letter, to: `${name}@example.org` })
    const all = Promise.all(['a', 'b', 'c'].map(send))
    await expect.poll(() => waiting.length).toBe(2)
    gate.resolve()
    await all
    expect(waiting.toSorted()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
    const left = send('d')
    await servers.close()
    await left.catch(error => expect(error).toBeInstanceOf(Error))
    expect(await failure(send('e'))).toBeInstanceOf(MailboxUnavailable)
  })
})

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.unreachable('it went well'),
    (error: Error) => error,
  )
}
