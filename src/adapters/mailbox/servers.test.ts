import PostalMime from 'postal-mime'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeAll, closeLater, letter } from '#adapters/email/email.harness.ts'
import { MailboxRefused, MailboxUnavailable, type MailLogin } from '#platform/ports/mailbox.ts'
import { findDovecot, startDovecot } from '#test/dovecot.ts'
import { IMAP_PASSWORD, startImapServer, type ImapServer } from '#test/imap-server.ts'
import { freePort } from '#test/programs.ts'
import { mails } from './mails.harness.ts'
import { loginAt, openServers, portOf, SENDER, startSmtp, trustCertificate } from './servers.harness.ts'

type Server = Pick<ImapServer, 'url' | 'close'> & {
  stop?(): Promise<void>
  deliver(raw: string, options?: { at?: Date }): number | Promise<unknown>
}

// The real one is tried where it is installed; the tests do not depend on it.
const dovecot = findDovecot()
const kinds: Record<string, () => Promise<Server>> = {
  'the server of the tests': () => startImapServer({ idle: true }),
  ...(dovecot && { Dovecot: () => startDovecot(dovecot) }),
}

beforeAll(trustCertificate)
afterEach(closeAll)

describe.each(Object.entries(kinds))('a mailbox that was connected, at %s', (_kind, startServer) => {
  async function start() {
    const server = await startServer()
    closeLater(() => server.close())
    const smtp = await startSmtp()
    return { server, smtp, login: loginAt(portOf(server.url), smtp.port), servers: openServers() }
  }

  test('is read from a place, or from a time', async () => {
    const { server, login, servers } = await start()
    await server.deliver(mails.gmailReply)
    expect(await servers.read(login, undefined, 10)).toMatchObject({ mails: [], more: false })
    const all = await servers.read(login, { since: new Date(Date.now() - 86_400_000).toISOString() }, 10)
    expect(all.mails).toMatchObject([{ kind: 'reply' }])
    await server.deliver(mails.outlookReply)
    await server.deliver(mails.postfixHard)
    const one = await servers.read(login, all.place, 1)
    expect(one).toMatchObject({ mails: [{ from: 'ada@customer.example' }], more: true })
    expect(await servers.read(login, one.place, 1)).toMatchObject({
      mails: [{ kind: 'bounce' }],
      more: false,
    })
  })

  test('tells of news at once: at the start, and when a mail comes', async () => {
    const { server, login, servers } = await start()
    const news: number[] = []
    const watch = servers.watch(login, () => news.push(performance.now()))
    await expect.poll(() => news.length).toBe(1)
    if ('heard' in server) await expect.poll(() => (server as ImapServer).heard.at(-1)).toBe('IDLE')
    const before = performance.now()
    await server.deliver(mails.gmailReply)
    await expect.poll(() => news.length, { interval: 1 }).toBeGreaterThan(1)
    expect(news[1]! - before).toBeLessThan(1_000)
    watch.close()
    await watch.ended
    await server.deliver(mails.gmailReply)
    await servers.find(login)
    expect(news).toHaveLength(2)
  })

  test('ends its watch when the server goes away', async () => {
    const { server, login, servers } = await start()
    const started = Promise.withResolvers<void>()
    const watch = servers.watch(login, started.resolve)
    await started.promise
    await (server.stop ?? server.close)()
    await watch.ended
  })

  test('is named with its server where it lets nobody in', async () => {
    const { login, servers } = await start()
    const wrong: MailLogin = { ...login, secret: { kind: 'password', password: 'not the one' } }
    for (const ask of [() => servers.find(wrong), () => servers.read(wrong, undefined, 1)]) {
      const refusal = await failure(ask())
      expect(refusal).toBeInstanceOf(MailboxRefused)
      expect(refusal).toMatchObject({
        message: 'The IMAP server 127.0.0.1 rejected the user name or password',
        server: 'imap',
      })
    }
    await servers.watch(wrong, () => expect.unreachable()).ended
  })
})

describe.runIf(dovecot)('a mailbox at Dovecot', () => {
  async function start() {
    const server = await startDovecot(dovecot!)
    closeLater(() => server.close())
    const smtp = await startSmtp()
    return { server, smtp, login: loginAt(server.port, smtp.port), servers: openServers() }
  }

  test('has its folder for sent mails found by what it is for', async () => {
    const { login, servers } = await start()
    expect(await servers.find(login)).toEqual({ sent_folder: 'Gesendete Objekte' })
  })

  test('keeps one copy of what was sent, read already, also when it is asked twice at once', async () => {
    const { server, login, servers } = await start()
    const mail = {
      ...letter,
      cc: ['bob@example.org'],
      bcc: ['eve@example.net'],
      date: '2026-01-02T03:04:05Z',
    }
    const file = (message_id: string) =>
      servers.fileSent(login, 'Gesendete Objekte', SENDER, { ...mail, message_id })
    await Promise.all([file('<1@rapport.example>'), file('<1@rapport.example>')])
    await file('<1@rapport.example>')
    await file('<11@rapport.example>')
    const copies = server.mailsIn('Gesendete Objekte')
    expect(copies.map(({ flags }) => flags)).toEqual(['S', 'S'])
    const parsed = await Promise.all(copies.map(({ bytes }) => PostalMime.parse(bytes)))
    expect(parsed.map(({ messageId }) => messageId).toSorted()).toEqual([
      '<11@rapport.example>',
      '<1@rapport.example>',
    ])
    expect(parsed[0]).toMatchObject({
      from: SENDER,
      to: [{ address: letter.to }],
      cc: [{ address: 'bob@example.org' }],
      bcc: [{ address: 'eve@example.net' }],
      date: '2026-01-02T03:04:05.000Z',
    })
    expect(server.mailsIn('INBOX')).toEqual([])
  })

  test('has its missing folder named', async () => {
    const { login, servers } = await start()
    const fault = await failure(servers.fileSent(login, 'Nowhere', SENDER, letter))
    expect(fault).toBeInstanceOf(MailboxUnavailable)
    expect(fault.message).toMatch(/^The IMAP server 127\.0\.0\.1 cannot be used: .*(exist|Nowhere)/)
  })

  test.for(['tls', 'starttls'] as const)(
    'is reached by %s, whose certificate must be for its name',
    async security => {
      const { server, smtp, servers } = await start()
      const port = security === 'tls' ? server.tlsPort : server.port
      const at = (host: string) => loginAt({ host, port, security }, smtp.port)
      expect(await servers.find(at('localhost'))).toEqual({ sent_folder: 'Gesendete Objekte' })
      // The same address by a name that the certificate does not have.
      const fault = await failure(servers.find(at('127.1')))
      expect(fault).toBeInstanceOf(MailboxUnavailable)
      expect(fault.message).toMatch(/127\.1 cannot be used: .*(certificate|altnames)/i)
    },
  )
})

describe('a mailbox', () => {
  async function start({ idle = true, limits = {} } = {}) {
    const server = await startImapServer({ idle })
    closeLater(() => server.close())
    const smtp = await startSmtp()
    return { server, smtp, login: loginAt(portOf(server.url), smtp.port), servers: openServers(limits) }
  }

  test('has both its servers tried, and the one that refuses is named', async () => {
    const { server, smtp, login, servers } = await start()
    await servers.find(login)
    expect(server.heard.some(said => said.startsWith('LIST'))).toBe(true)
    expect(smtp.signedIn).toHaveLength(1)
    const deaf = await startSmtp({
      onAuth: ({ password }, _session, done) =>
        done(Object.assign(new Error(`5.7.139 Disabled for ${password}`), { responseCode: 535 })),
    })
    const refusal = await failure(servers.find({ ...login, smtp: { ...login.smtp, port: deaf.port } }))
    expect(refusal).toBeInstanceOf(MailboxRefused)
    expect(refusal).toMatchObject({ server: 'smtp' })
    expect(refusal.message).toMatch(
      /^The SMTP server 127\.0\.0\.1 rejected the user name or password: .*5\.7\.139/,
    )
    expect(refusal.message).not.toContain(IMAP_PASSWORD)
    const away = await failure(servers.find({ ...login, smtp: { ...login.smtp, port: await freePort() } }))
    expect(away).toMatchObject({ constructor: MailboxUnavailable, server: 'smtp' })
    expect(away.message).toContain('ECONNREFUSED')
    const nowhere = await failure(servers.find({ ...login, imap: { ...login.imap, port: await freePort() } }))
    expect(nowhere).toMatchObject({ constructor: MailboxUnavailable, server: 'imap' })
  })

  test('whose server has no time now is not refused', async () => {
    const { login, servers } = await start()
    const busy = await startSmtp({
      onAuth: (_auth, _session, done) => done(Object.assign(new Error('4.7.0 Later'), { responseCode: 454 })),
    })
    const fault = await failure(servers.find({ ...login, smtp: { ...login.smtp, port: busy.port } }))
    expect(fault).toMatchObject({ constructor: MailboxUnavailable, server: 'smtp' })
  })

  test('is asked for news again and again where its server does not tell them', async () => {
    const { server, login, servers } = await start({ idle: false, limits: { pollMs: 20 } })
    let news = 0
    const watch = servers.watch(login, () => news++)
    await expect.poll(() => server.heard.filter(said => said === 'NOOP').length).toBeGreaterThan(2)
    expect(news).toBe(1)
    server.deliver(mails.gmailReply)
    await expect.poll(() => news).toBe(2)
    watch.close()
    await watch.ended
  })

  test('waits for news once more before its server ends that', async () => {
    const { server, login, servers } = await start({ limits: { reissueMs: 50 } })
    let news = 0
    servers.watch(login, () => news++)
    await expect.poll(() => server.heard.filter(said => said === 'IDLE').length).toBeGreaterThan(2)
    expect(server.heard.filter(said => said === 'DONE').length).toBeGreaterThan(1)
    server.deliver(mails.gmailReply)
    await expect.poll(() => news).toBe(2)
  })

  test.for(['LOGIN', 'EXAMINE', 'DONE'])(
    'whose server falls silent at %s is no longer watched',
    async command => {
      const { server, login, servers } = await start({ limits: { reissueMs: 50, answerMs: 300 } })
      server.silence(command)
      await servers.watch(login, () => {}).ended
      expect(server.heard.some(said => said.startsWith(command))).toBe(true)
    },
  )

  test('whose server hangs up is no longer watched', async () => {
    const { server, login, servers } = await start()
    const watch = servers.watch(login, () => {})
    await expect.poll(() => server.heard.at(-1)).toBe('IDLE')
    server.hangUp()
    await watch.ended
  })

  test('is let go of when the process ends', async () => {
    const { server, login, servers } = await start()
    const watch = servers.watch(login, () => {})
    await expect.poll(() => server.heard.at(-1)).toBe('IDLE')
    await servers.close()
    await watch.ended
  })

  test.for([
    '127.0.0.1',
    'localhost',
    '::1',
    '10.1.2.3',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    'fd00::1',
    '::ffff:127.0.0.1',
  ])('is not looked for at %s', async host => {
    const { server, smtp, login } = await start()
    const servers = openServers({}, { outboundAllowHosts: [] })
    for (const security of ['tls', 'starttls', 'none'] as const) {
      const imap: MailLogin = { ...login, imap: { ...login.imap, host, security } }
      const both: MailLogin = { ...imap, smtp: { ...login.smtp, host, security } }
      const mailer = servers.mailer(both, SENDER, '1')
      for (const ask of [
        () => servers.find(both),
        () => servers.read(imap, undefined, 1),
        () => servers.fileSent(imap, 'Sent', SENDER, letter),
        () => mailer.send(letter),
        () => mailer.check(),
      ]) {
        const fault = await failure(ask())
        expect(fault).toBeInstanceOf(MailboxUnavailable)
        expect(fault.message).toMatch(
          security === 'none' ? /public|TLS/ : /cannot be used: .* is not a public address/,
        )
      }
      // Refused at once, or when it would have connected.
      const watching = async () => await servers.watch(imap, () => expect.unreachable()).ended
      await watching().catch(error => expect(error).toBeInstanceOf(MailboxUnavailable))
    }
    expect([server.heard, smtp.connections(), smtp.arrived]).toEqual([[], 0, []])
  })

  test('shows its password to nobody without TLS, where the operator does not allow the host', async () => {
    const { login } = await start()
    const servers = openServers({}, { outboundAllowHosts: [] })
    const plain = { host: 'mail.example.com', port: 25, security: 'none' as const }
    expect((await failure(servers.read({ ...login, imap: plain }, undefined, 1))).message).toContain('TLS')
    const mailer = servers.mailer({ ...login, smtp: plain }, SENDER, '1')
    expect((await failure(mailer.send(letter))).message).toContain('TLS')
  })
})

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.unreachable('it went well'),
    (error: Error) => error,
  )
}
