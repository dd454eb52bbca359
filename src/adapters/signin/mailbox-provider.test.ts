import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeAll, closeLater, letter } from '#adapters/email/email.harness.ts'
import { MailboxRefused, MailboxUnavailable, type MailLogin } from '#platform/ports/mailbox.ts'
import { findDovecot, startDovecot } from '#test/dovecot.ts'
import { IMAP_USER } from '#test/imap-server.ts'
import { walk } from '#test/issuer.ts'
import { startMailProvider, type MailboxOwner } from '#test/mail-provider.ts'
import { mails } from '#adapters/mailbox/mails.harness.ts'
import { openMailboxProviders } from './mailbox-provider.ts'
import { openServers, SENDER, startSmtp, trustCertificate } from '#adapters/mailbox/servers.harness.ts'

const REDIRECT = 'https://rapport.test/api/mailboxes/connected'
const dovecot = findDovecot()
const owner: MailboxOwner = { sub: '7', email: IMAP_USER, email_verified: true }

beforeAll(trustCertificate)
afterEach(closeAll)

async function start(name: 'google' | 'microsoft', person: MailboxOwner | undefined = owner) {
  const provider = await startMailProvider(person)
  closeLater(() => provider.close())
  const { credentials } = provider
  const settings =
    name === 'google' ? { google: credentials } : { entra: { ...credentials, tenant: 'of the tests' } }
  const [mailboxes] = openMailboxProviders(settings)
  return { provider, mailboxes: mailboxes! }
}

type Started = Awaited<ReturnType<typeof start>>

/** As a person who is sent there and back. */
async function allow({ mailboxes }: Started) {
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const asked = { state: 'of the attempt', code_challenge, redirect_uri: REDIRECT, login_hint: IMAP_USER }
  const back = await walk(await mailboxes.authorizeUrl(asked), REDIRECT)
  expect(back.searchParams.get('state')).toBe('of the attempt')
  return { code: back.searchParams.get('code') ?? '', code_verifier, redirect_uri: REDIRECT, back }
}

test('providers are those whose sign-in is configured, at the servers that they say', () => {
  const credentials = { clientId: 'a', clientSecret: 'b', issuer: 'https://accounts.google.com' }
  expect(openMailboxProviders({})).toEqual([])
  const both = openMailboxProviders({ google: credentials, entra: { ...credentials, tenant: 't' } })
  expect(both.map(({ name, imap, smtp }) => ({ name, imap, smtp }))).toEqual([
    {
      name: 'google',
      imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
      smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    },
    {
      name: 'microsoft',
      imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
      smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    },
  ])
  const imap = { host: 'localhost', port: 1, security: 'none' } as const
  const [google] = openMailboxProviders({ google: credentials }, { servers: { google: { imap } } })
  expect(google).toMatchObject({ imap, smtp: { host: 'smtp.gmail.com' } })
})

describe.each(['google', 'microsoft'] as const)('%s', name => {
  test('is asked for the mailbox, and for a token that lasts', async () => {
    const started = await start(name)
    await allow(started)
    const asked = Object.fromEntries(started.provider.asked[0]!)
    expect(asked).toMatchObject({
      client_id: 'rapport',
      response_type: 'code',
      code_challenge_method: 'S256',
      login_hint: IMAP_USER,
      prompt: 'consent',
      ...(name === 'google' && { access_type: 'offline' }),
    })
    expect(asked['scope']!.split(' ').toSorted()).toEqual(
      name === 'google'
        ? ['email', 'https://mail.google.com/', 'openid']
        : [
            'email',
            'https://outlook.office.com/IMAP.AccessAsUser.All',
            'https://outlook.office.com/SMTP.Send',
            'offline_access',
            'openid',
          ],
    )
  })

  test('gives tokens for the mailbox of its ID token, and new ones later', async () => {
    const started = await start(name)
    const { mailboxes } = started
    const tokens = await mailboxes.exchange(await allow(started))
    expect(tokens).toMatchObject({ address: IMAP_USER })
    const inMs = Date.parse(tokens.expires_at) - Date.now()
    expect(inMs).toBeGreaterThan(3_500_000)
    expect(inMs).toBeLessThanOrEqual(3_600_000)
    const next = await mailboxes.refresh(tokens.refresh_token!)
    expect(next.access_token).not.toBe(tokens.access_token)
  })

  test('whose owner takes it back has the mailbox connected again', async () => {
    const started = await start(name)
    const { provider, mailboxes } = started
    const tokens = await mailboxes.exchange(await allow(started))
    provider.revoke()
    const refusal = await failure(mailboxes.refresh(tokens.refresh_token!))
    expect(refusal).toBeInstanceOf(MailboxRefused)
    expect(refusal.message).toMatch(/no longer allows access to this mailbox. Connect it again\.$/)
  })

  test('that is out of order refuses nobody', async () => {
    const started = await start(name)
    const tokens = await started.mailboxes.exchange(await allow(started))
    started.provider.status = 503
    expect(await failure(started.mailboxes.refresh(tokens.refresh_token!))).toBeInstanceOf(MailboxUnavailable)
  })

  test('does not take the code of another attempt', async () => {
    const started = await start(name)
    const answer = await allow(started)
    const other = await allow(started)
    const stolen = { ...answer, code_verifier: other.code_verifier }
    expect(await failure(started.mailboxes.exchange(stolen))).toBeInstanceOf(MailboxRefused)
  })

  test('whose owner allows only part of it is asked for everything', async () => {
    const started = await start(name)
    started.provider.withheld =
      name === 'google' ? ['https://mail.google.com/'] : ['https://outlook.office.com/SMTP.Send']
    const refusal = await failure(started.mailboxes.exchange(await allow(started)))
    expect(refusal).toBeInstanceOf(MailboxRefused)
    expect(refusal.message).toContain('allow everything')
  })

  test('that names no mailbox connects none', async () => {
    const started = await start(name, { sub: '8' })
    const refusal = await failure(started.mailboxes.exchange(await allow(started)))
    expect(refusal).toBeInstanceOf(MailboxRefused)
    expect(refusal.message).toContain('which mailbox')
  })

  test.runIf(dovecot)(
    'opens the mailbox at a real server with its token, for reading and for sending',
    async () => {
      const started = await start(name)
      const { provider, mailboxes } = started
      const server = await startDovecot(dovecot!, { userinfo: provider.userinfo })
      closeLater(() => server.close())
      const isGood = async (token: string) =>
        (
          await (await fetch(provider.userinfo, { headers: { authorization: `Bearer ${token}` } })).text()
        ).includes(IMAP_USER)
      const smtp = await startSmtp({}, isGood)
      const { access_token: token } = await mailboxes.exchange(await allow(started))
      const login: MailLogin = {
        address: IMAP_USER,
        username: IMAP_USER,
        secret: { kind: 'token', token },
        imap: { host: '127.0.0.1', port: server.port, security: 'none' },
        smtp: { host: '127.0.0.1', port: smtp.port, security: 'none' },
      }
      const servers = openServers()
      expect(await servers.find(login)).toEqual({ sent_folder: 'Gesendete Objekte' })
      const { place } = await servers.read(login, undefined, 10)
      await server.deliver(mails.gmailReply)
      expect((await servers.read(login, place, 10)).mails).toHaveLength(1)
      await servers.mailer(login, SENDER, '1').send(letter)
      expect(smtp.arrived).toHaveLength(1)
      const refusal = await failure(
        servers.read({ ...login, secret: { kind: 'token', token: 'made up' } }, place, 10),
      )
      expect(refusal).toMatchObject({
        constructor: MailboxRefused,
        message: 'The IMAP server 127.0.0.1 rejected the access token',
      })
    },
  )
})

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.unreachable('it went well'),
    (error: Error) => error,
  )
}
