import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { MailboxRefused, type MailboxProvider, type MailTokens } from '#platform/ports/mailbox.ts'
import { openInbox } from '#domains/conversations/conversations.harness.ts'
import { colleagueOf } from '#test/colleague.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import { testPorts } from '#test/ports.ts'
import { MAILBOXES, type PostRoom } from './mailboxes.harness.ts'

const HOUR_MS = 3_600_000
const clock = new FakeClock('2026-03-02T09:00:00.000Z')
const server = { host: 'mail.provider.example', port: 993, security: 'tls' as const }

/** A provider whose person has said yes, or no. */
const provider = {
  address: 'ada@provider.example',
  tokens: 0,
  refusesRefresh: false,
  refreshed: [] as string[],
}
const google: MailboxProvider = {
  name: 'google',
  imap: server,
  smtp: { ...server, port: 465 },
  authorizeUrl: async asked =>
    `https://provider.example/auth?${new URLSearchParams({ ...asked, login_hint: '' })}`,
  async exchange({ code }) {
    if (code !== 'good') throw new MailboxRefused('The provider did not allow it.')
    return { ...newTokens(), address: provider.address }
  },
  async refresh(refresh_token) {
    if (provider.refusesRefresh) throw new MailboxRefused('Access was taken back. Connect the mailbox again.')
    provider.refreshed.push(refresh_token)
    return newTokens()
  },
}

function newTokens(): MailTokens {
  const n = ++provider.tokens
  const expires_at = new Date(clock.now() + HOUR_MS).toISOString()
  return { access_token: `access${n}`, refresh_token: `refresh${n}`, expires_at }
}

let room: Omit<PostRoom, 'connect' | 'arrives'>
beforeAll(async () => {
  const ports = testPorts()
  ports.mailboxProviders = [google]
  room = await openInbox(clock, { ports })
})
beforeEach(() => {
  clock.advance(60_000)
  provider.refusesRefresh = false
})
afterAll(() => room.close())

/** To the provider and back, as a browser goes. */
async function goThrough(query: string, answer: Record<string, string>, person = room.ada) {
  const there = await person.browser.get(`${MAILBOXES}/providers/google/connect?${query}`)
  expect(there.status).toBe(302)
  const asked = new URL(there.headers.get('location')!).searchParams
  const cookie = there.headers.get('set-cookie')!.split(';')[0]!
  const back = new URLSearchParams({ state: asked.get('state')!, ...answer })
  const cookies = [person.browser.headers.cookie, cookie].filter(Boolean).join('; ')
  const { headers } = await person.browser.get(`${MAILBOXES}/connected?${back}`, { cookie: cookies })
  return { asked, location: headers.get('location')!, cookie: headers.get('set-cookie') }
}

const list = async () => (await room.ada.browser.get(MAILBOXES)).body.data

describe('connecting by OAuth', () => {
  test('a yes is a mailbox, read with a token that is renewed in time', async () => {
    provider.address = 'sales@provider.example'
    const account = room.ports.mailboxServers.at(provider.address)
    const { asked, location, cookie } = await goThrough('shared=true&import_days=0', { code: 'good' })
    expect(asked.get('redirect_uri')).toMatch(/\/api\/mailboxes\/connected$/)
    expect(asked.get('code_challenge')).toHaveLength(43)
    expect(cookie).toContain('Max-Age=0')
    const id = /connected=([0-9a-f]{24})$/.exec(location)![1]!
    const { body } = await room.ada.browser.get(`${MAILBOXES}/${id}`)
    expect(body).toMatchObject({ kind: 'google', owner_id: null, address: provider.address, imap: server })
    expect(JSON.stringify(await room.app.database.query('select * from mailboxes'))).not.toContain('refresh1')

    await room.settled()
    account.secret = 'access2'
    await room.pass(HOUR_MS)
    expect(provider.refreshed).toEqual(['refresh1'])
    const lead = await room.lead()
    account.mails.push(incomingMail({ from: lead.email, at: new Date(clock.now()).toISOString() }))
    await room.pass(5 * 60_000)
    expect(await room.of(lead.id)).toMatchObject({ mailbox_id: id })
    account.secret = undefined
  })

  test('a no, a lie and an old attempt say what they are, and leave nothing', async () => {
    provider.address = 'no@provider.example'
    const before = (await list()).length
    expect((await goThrough('shared=false', { error: 'access_denied' })).location).toContain('failed=denied')
    expect((await goThrough('shared=false', { code: 'bad' })).location).toContain('failed=refused')
    expect((await goThrough('shared=false', { code: 'good', state: 'other' })).location).toContain(
      'failed=expired',
    )
    const none = await room.ada.browser.get(`${MAILBOXES}/connected?code=good&state=x`)
    expect(none.headers.get('location')).toContain('failed=expired')
    expect(await list()).toHaveLength(before)
  })

  test('what the page asks for is checked: shared or not, private or not, days', async () => {
    provider.address = 'own@provider.example'
    const { location } = await goThrough('shared=false&visibility=owner&import_days=0', { code: 'good' })
    const id = /connected=(\w+)/.exec(location)![1]!
    const { body } = await room.ada.browser.get(`${MAILBOXES}/${id}`)
    expect(body).toMatchObject({ owner_id: room.ada.user_id, visibility: 'owner', import_days: 0 })
    for (const wrong of [
      'import_days=400',
      'import_days=x',
      'mailbox_id=1',
      'address=no',
      'shared=true&visibility=owner',
    ])
      expect((await room.ada.browser.get(`${MAILBOXES}/providers/google/connect?${wrong}`)).status).toBe(422)
    await room.ada.browser.delete(`${MAILBOXES}/${id}`)
  })

  test('an attempt is of the person who began it', async () => {
    const grace = await colleagueOf(room.app, room.ada, 'ADMIN')
    const there = await room.ada.browser.get(`${MAILBOXES}/providers/google/connect?shared=true`)
    const state = new URL(there.headers.get('location')!).searchParams.get('state')!
    const cookie = there.headers.get('set-cookie')!.split(';')[0]!
    const back = await grace.browser.get(`${MAILBOXES}/connected?state=${state}&code=good`, {
      cookie: [grace.browser.headers.cookie, cookie].filter(Boolean).join('; '),
    })
    expect(back.headers.get('location')).toContain('failed=expired')
  })

  test('one that is connected already is said to be; its owner connects it again when access was taken back', async () => {
    provider.address = 'again@provider.example'
    const { location } = await goThrough('shared=true&import_days=0', { code: 'good' })
    const id = /connected=(\w+)/.exec(location)![1]!
    expect((await goThrough('shared=true', { code: 'good' })).location).toContain('failed=exists')

    await room.settled()
    provider.refusesRefresh = true
    await room.pass(2 * HOUR_MS)
    const health = async () => (await room.ada.browser.get(`${MAILBOXES}/${id}`)).body.health
    expect(await health()).toMatchObject({ state: 'FAILING', note: expect.stringContaining('again') })
    const again = await goThrough(`mailbox_id=${id}`, { code: 'good' })
    expect(again.location).toContain(`connected=${id}`)
    expect(await health()).toMatchObject({ state: 'OK', note: null })
    provider.address = 'other@provider.example'
    expect((await goThrough(`mailbox_id=${id}`, { code: 'good' })).location).toContain('failed=refused')
  })

  test('its password and servers are the provider’s business; a provider that is not set up is none', async () => {
    provider.address = 'fixed@provider.example'
    const { location } = await goThrough('shared=true&import_days=0', { code: 'good' })
    const id = /connected=(\w+)/.exec(location)![1]!
    expect(await room.ada.browser.patch(`${MAILBOXES}/${id}`, { password: 'x' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'password' }] },
    })
    expect((await room.ada.browser.get(`${MAILBOXES}/providers/microsoft/connect`)).status).toBe(404)
    const member = await colleagueOf(room.app, room.ada, 'MEMBER')
    expect((await member.browser.get(`${MAILBOXES}/providers/google/connect?shared=true`)).status).toBe(403)
  })
})

describe('the servers of an address', () => {
  test('are known for the large providers', async () => {
    const find = async (address: string) =>
      (await room.ada.browser.get(`${MAILBOXES}/servers?address=${address}`)).body
    expect(await find('ada@gmail.com')).toMatchObject({ kind: 'google', can_connect: true })
    expect(await find('ada@outlook.com')).toMatchObject({
      kind: 'microsoft',
      can_connect: false,
      help: expect.stringContaining('administrator'),
    })
    expect(await find('ada@gmx.de')).toMatchObject({
      kind: 'imap',
      imap: { host: 'imap.gmx.net', port: 993 },
    })
  })
})
