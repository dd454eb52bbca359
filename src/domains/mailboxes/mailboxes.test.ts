import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { CONVERSATIONS } from '#domains/conversations/conversations.harness.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { incomingMail } from '#test/incoming-mail.ts'
import type { Person } from '#test/app.ts'
import { MAILBOXES, newLogin, openPostRoom, type PostRoom } from './mailboxes.harness.ts'

const clock = new FakeClock('2026-03-02T09:00:00.000Z')
let room: PostRoom
let grace: Person
let viewer: Person
let n = 0
const fresh = (name = 'box') => `${name}${++n}@team.example`

beforeAll(async () => {
  room = await openPostRoom(clock)
  grace = await colleagueOf(room.app, room.ada, 'MEMBER')
  viewer = await colleagueOf(room.app, room.ada, 'VIEWER')
})
beforeEach(() => void clock.advance(60_000))
afterAll(() => room.close())

const box = (address: string) => room.ports.mailboxServers.at(address)
const get = async (id: string) => (await room.ada.browser.get(`${MAILBOXES}/${id}`)).body

describe('connecting a mailbox', () => {
  test('tries both servers, keeps the password to itself and says nothing of it to anybody', async () => {
    const address = fresh('sales')
    box(address).secret = 'right'
    const refused = await room.ada.browser.post(MAILBOXES, newLogin(address, { password: 'wrong' }))
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'mailbox_refused', errors: [{ path: 'password' }] },
    })
    const { body: none } = await room.ada.browser.get(MAILBOXES)
    expect(none.data.map((one: { address: string }) => one.address)).not.toContain(address)

    const { id } = await room.connect(address, { password: 'right', signature: 'The *sales* team' })
    const shown = await get(id)
    expect(shown).toMatchObject({
      kind: 'imap',
      owner_id: null,
      visibility: 'team',
      username: address,
      signature: 'The *sales* team',
      health: { state: 'OK', note: null },
    })
    expect(JSON.stringify(shown)).not.toContain('right')
    const kept = await room.app.database.query('select * from mailboxes')
    expect(JSON.stringify(kept)).not.toContain('right')
    const told = await room.app.database.query(`select data from events where type like 'mailbox.%'`)
    expect(JSON.stringify(told)).not.toContain('right')
  })

  test('a server that is away is said to be so, of the server', async () => {
    const address = fresh()
    box(address).isDown = true
    expect(await room.ada.browser.post(MAILBOXES, newLogin(address))).toMatchObject({
      status: 422,
      body: { code: 'mailbox_unavailable', errors: [{ path: 'imap.host' }] },
    })
  })

  test('an address is connected once, however it is spelt', async () => {
    const address = fresh()
    await room.connect(address)
    expect(await room.ada.browser.post(MAILBOXES, newLogin(address.toUpperCase()))).toMatchObject({
      status: 409,
      body: { code: 'address_taken', errors: [{ path: 'address' }] },
    })
  })

  test('members have their own; a shared one takes an admin, and a viewer has none', async () => {
    expect(await grace.browser.post(MAILBOXES, newLogin(fresh()))).toMatchObject({ status: 403 })
    expect(await viewer.browser.post(MAILBOXES, newLogin(fresh(), { shared: false }))).toMatchObject({
      status: 403,
    })
    const own = await room.connect(fresh('grace'), { shared: false, visibility: 'owner' }, grace)
    expect(own).toMatchObject({ owner_id: grace.user_id, visibility: 'owner' })
    const other = await colleagueOf(room.app, room.ada, 'MEMBER')
    expect(await other.browser.patch(`${MAILBOXES}/${own.id}`, { name: 'Me' })).toMatchObject({ status: 403 })
    expect(await other.browser.delete(`${MAILBOXES}/${own.id}`)).toMatchObject({ status: 403 })
    expect(await grace.browser.patch(`${MAILBOXES}/${own.id}`, { name: 'Grace' })).toMatchObject({
      status: 200,
      body: { name: 'Grace' },
    })
  })

  test('what cannot be is refused: a private mailbox that is shared, a personal one for all', async () => {
    expect(await room.ada.browser.post(MAILBOXES, newLogin(fresh(), { visibility: 'owner' }))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'visibility' }] },
    })
    expect(
      await room.ada.browser.post(MAILBOXES, newLogin(fresh(), { shared: false, is_default: true })),
    ).toMatchObject({ status: 422, body: { errors: [{ path: 'is_default' }] } })
  })

  test('one is the default, and a later one takes its place', async () => {
    const first = await room.connect(fresh(), { is_default: true })
    const second = await room.connect(fresh(), { is_default: true })
    expect((await get(first.id)).is_default).toBe(false)
    expect((await get(second.id)).is_default).toBe(true)
    await room.ada.browser.patch(`${MAILBOXES}/${second.id}`, { is_default: false })
  })
})

describe('changing a mailbox', () => {
  test('a new password is tried first; a version that is no longer the last is refused', async () => {
    const address = fresh()
    const { id } = await room.connect(address)
    const { headers } = await room.ada.browser.get(`${MAILBOXES}/${id}`)
    box(address).secret = 'new'
    expect(await room.ada.browser.patch(`${MAILBOXES}/${id}`, { password: 'wrong' })).toMatchObject({
      status: 422,
    })
    expect(await room.ada.browser.patch(`${MAILBOXES}/${id}`, { password: 'new' })).toMatchObject({
      status: 200,
      body: { health: { state: 'OK' } },
    })
    const late = { 'if-match': headers.get('etag')! }
    expect(await room.ada.browser.patch(`${MAILBOXES}/${id}`, { name: 'Late' }, late)).toMatchObject({
      status: 412,
    })
  })

  test('a password that is stored goes to no other server, whoever asks', async () => {
    const own = await room.connect(fresh(), { shared: false, visibility: 'owner' }, grace)
    const smtp = { host: 'thief.example.test', port: 465, security: 'tls' }
    for (const browser of [room.ada.browser, grace.browser])
      expect(await browser.patch(`${MAILBOXES}/${own.id}`, { smtp })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'password' }] },
      })
    // What is private is its owner's to open.
    expect(await room.ada.browser.patch(`${MAILBOXES}/${own.id}`, { visibility: 'team' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'visibility' }] },
    })
    expect(await grace.browser.patch(`${MAILBOXES}/${own.id}`, { visibility: 'team' })).toMatchObject({
      status: 200,
    })
    await grace.browser.delete(`${MAILBOXES}/${own.id}`)
  })

  test('one that stops working says why, and its admins are told once, in the app', async () => {
    const address = fresh('broken')
    const { id } = await room.connect(address)
    box(address).secret = 'changed elsewhere'
    await room.pass(5 * 60_000)
    const { health } = await get(id)
    expect(health).toMatchObject({ state: 'FAILING', note: expect.stringContaining('rejected') })
    await room.pass(20 * 60_000)
    const notices = async () => {
      const { body } = await room.ada.browser.get('/api/notifications')
      return body.data.filter((one: { title: string }) => one.title.includes(address))
    }
    expect(await notices()).toHaveLength(1)
    expect((await notices())[0]).toMatchObject({ link: '/settings/mailboxes' })

    box(address).secret = undefined
    expect(await room.ada.browser.post(`${MAILBOXES}/${id}/check`)).toMatchObject({
      status: 200,
      body: { health: { state: 'OK', note: null } },
    })
  })

  test('a server that is away for a while bothers nobody before half an hour', async () => {
    const address = fresh('away')
    await room.connect(address)
    box(address).isDown = true
    const told = async () => {
      const { body } = await room.ada.browser.get('/api/notifications')
      return body.data.filter((one: { title: string }) => one.title.includes(address)).length
    }
    await room.pass(10 * 60_000)
    expect(await told()).toBe(0)
    for (let minutes = 0; minutes < 40; minutes += 5) await room.pass(5 * 60_000)
    expect(await told()).toBe(1)
    box(address).isDown = false
  })
})

describe('what comes into a mailbox', () => {
  test('starts a conversation of its team, with all of the email', async () => {
    const address = fresh('sales')
    const { id: mailbox_id } = await room.connect(address)
    const lead = await room.lead()
    await room.arrives(address, {
      from: lead.email,
      from_name: 'Grace',
      to: [{ address, name: 'Sales' }],
      cc: [{ address: 'bob@navy.example', name: null }],
      subject: 'Ships',
      text: 'How many?',
      whole: 'How many?\n\n> We have ships.',
      html: '<p>How <b>many</b>?</p><img src="cid:logo@x"><img src="https://track.example/p.gif">',
      files: [
        { name: 'logo.png', type: 'image/png', bytes: Buffer.from('PNG'), content_id: 'logo@x' },
        { name: 'list.csv', type: 'text/csv', bytes: Buffer.from('a,b'), content_id: null },
      ],
    })
    const conversation = await room.of(lead.id)
    expect(conversation).toMatchObject({ state: 'OPEN', channel: 'email', subject: 'Ships', mailbox_id })
    const [entry] = await room.thread(conversation.id)
    expect(entry).toMatchObject({
      direction: 'in',
      mailbox_id,
      // Our own address is nobody to answer to.
      to: [],
      cc: [{ address: 'bob@navy.example', name: null }],
      text: 'How many?',
      has_original: true,
      hidden: false,
      files: [
        { name: 'logo.png', inline: true },
        { name: 'list.csv', inline: false, size: 3 },
      ],
    })
    const file = await room.ada.browser.get(`/api/files/${entry!.files[1]!.id}`)
    expect(file.text).toBe('a,b')
    expect(file.headers.get('content-disposition')).toContain('attachment')

    const original = `${CONVERSATIONS}/${conversation.id}/messages/${entry!.id}/original`
    const page = await room.ada.browser.get(original)
    expect(page.text).toContain('How <b>many</b>?')
    expect(page.text).toContain(`src="/api/files/${entry!.files[0]!.id}"`)
    expect(page.text).toContain('content="left-out"')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).not.toContain('allow-scripts')
    expect(policy).not.toContain('https:')
    const asked = await room.ada.browser.get(`${original}?images=true`)
    expect(asked.headers.get('content-security-policy')).toContain('https:')
    expect(asked.text).not.toContain('left-out')
  })

  test('is taken once, however many mailboxes it came to', async () => {
    const [one, two] = [fresh(), fresh()]
    await room.connect(one)
    await room.connect(two)
    const lead = await room.lead()
    const mail = { from: lead.email, message_id: '<both@navy.example>', fingerprint: 'f'.repeat(32) }
    await room.arrives(one, mail)
    await room.arrives(two, mail)
    expect(await room.thread((await room.of(lead.id)).id)).toHaveLength(1)
  })

  test('two emails of a program that gives all of them one Message-ID are two', async () => {
    const address = fresh()
    await room.connect(address)
    const lead = await room.lead()
    const message_id = '<same@broken.example>'
    await room.arrives(address, { from: lead.email, message_id, text: 'First' })
    await room.arrives(address, { from: lead.email, message_id, text: 'Second' })
    const thread = await room.thread((await room.of(lead.id)).id)
    expect(thread.map(({ text }) => text)).toEqual(['Second', 'First'])
  })

  test('an email without a Message-ID is kept, once', async () => {
    const address = fresh()
    const { id } = await room.connect(address)
    const lead = await room.lead()
    await room.arrives(address, { from: lead.email, message_id: null, text: 'No ID' })
    await room.app.database.query('update mailbox_readings set uid = 0 where mailbox_id = $1', [id])
    await room.pass(5 * 60_000)
    expect(await room.thread((await room.of(lead.id)).id)).toHaveLength(1)
  })

  test('an answer to us is told of our message, and kept whole', async () => {
    const address = fresh()
    const { id: mailbox_id } = await room.connect(address)
    const lead = await room.lead()
    const { body } = await room.ada.browser.post(CONVERSATIONS, {
      channel: 'email',
      lead_id: lead.id,
      mailbox_id,
      subject: 'Offer',
      text: 'Ten?',
    })
    await room.out()
    const { mail } = box(address).sent.at(-1)!
    const long = 'x'.repeat(8_000)
    await room.arrives(address, { from: lead.email, answers: [mail.message_id], text: long })
    const [answer] = await room.thread(body.id)
    expect(answer).toMatchObject({ direction: 'in', text: long })
    const types = await room.app.database.query(
      `select type from events where lead_id = $1 and type in ('email.replied', 'conversation.received') order by id`,
      [lead.id],
    )
    expect(types.map(({ type }) => type).toSorted()).toEqual(['conversation.received', 'email.replied'])
  })

  test('of earlier days only what leads wrote is shown, and nothing is done about it', async () => {
    const address = fresh('old')
    const lead = await room.lead()
    const at = new Date(clock.now() - 3 * 86_400_000).toISOString()
    const { mails } = box(address)
    mails.push(
      incomingMail({ from: lead.email, at, text: 'Three days ago', message_id: '<old1@x>' }),
      incomingMail({ from: 'nobody@else.example', at, text: 'Unknown', message_id: '<old2@x>' }),
    )
    await room.connect(address, { import_days: 7 })
    await room.pass(60_000)
    const conversation = await room.of(lead.id)
    expect(conversation).toMatchObject({ state: 'CLOSED', unread: false, answer_due_at: null })
    const thread = await room.thread(conversation.id)
    expect(thread).toMatchObject([{ text: 'Three days ago', at }])
    const { body } = await room.ada.browser.get(`${CONVERSATIONS}?q=nobody@else.example`)
    expect(body.data).toEqual([])
  })

  test('a stranger who writes to a shared mailbox has a conversation; to a personal one, none', async () => {
    const shared = fresh()
    const own = fresh()
    await room.connect(shared)
    await room.connect(own, { shared: false })
    await room.arrives(shared, { from: 'stranger@one.example' })
    await room.arrives(own, { from: 'aunt@family.example', text: 'Dinner?' })
    const found = async (q: string) =>
      (await room.ada.browser.get(`${CONVERSATIONS}?q=${q}`)).body.data.length
    expect(await found('stranger@one.example')).toBe(1)
    expect(await found('aunt@family.example')).toBe(0)
  })

  test('a stranger who writes becomes a lead where the mailbox says so; a newsletter does not', async () => {
    const address = fresh('sales')
    await room.connect(address, { creates_leads: true })
    await room.arrives(address, { from: 'new@one.example', from_name: 'Nora New' })
    await room.arrives(address, { from: 'news@letters.example', kind: 'automatic' })
    const leads = async (q: string) => (await room.ada.browser.get(`/api/crm/leads?q=${q}`)).body.data
    const [lead] = await leads('new@one.example')
    expect(lead).toMatchObject({ first_name: 'Nora', last_name: 'New', email: 'new@one.example' })
    expect(await room.of(lead.id)).toMatchObject({ state: 'OPEN', lead_id: lead.id })
    expect(await leads('news@letters.example')).toEqual([])
  })

  test('what comes from one of our own mailboxes is no conversation with ourselves', async () => {
    const [one, two] = [fresh(), fresh()]
    await room.connect(one)
    await room.connect(two)
    await room.arrives(one, { from: two.toUpperCase(), text: 'To myself' })
    const { body } = await room.ada.browser.get(`${CONVERSATIONS}?q=${two}`)
    expect(body.data).toEqual([])
  })

  test('is read at once when its server tells of news', async () => {
    const address = fresh('idle')
    await room.connect(address)
    await eventually(() => expect(room.ports.mailboxServers.watching(address)).toBe(1))
    const lead = await room.lead()
    const at = new Date(clock.now()).toISOString()
    room.ports.mailboxServers.deliver(address, incomingMail({ from: lead.email, at, message_id: '<i@x>' }))
    await eventually(async () => {
      const { body } = await room.ada.browser.get(`${CONVERSATIONS}?lead_id=${lead.id}`)
      expect(body.data).toHaveLength(1)
    })
  })
})

describe('a private mailbox', () => {
  test('shows the others that an email came, and its owner what it says', async () => {
    const address = fresh('private')
    const lead = await room.lead({ owner_id: grace.user_id })
    const { id: mailbox_id } = await room.connect(address, { shared: false, visibility: 'owner' }, grace)
    await room.arrives(address, {
      from: lead.email,
      subject: 'A secret',
      text: 'Between us',
      html: '<p>Between us</p>',
      files: [{ name: 'secret.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF'), content_id: null }],
    })
    const conversation = await room.of(lead.id)
    expect(conversation).toMatchObject({ mailbox_id, last_text: '', subject: null })
    const [hidden] = await room.thread(conversation.id)
    expect(hidden).toMatchObject({ hidden: true, text: '', subject: null, files: [], to: [] })
    const path = `${CONVERSATIONS}/${conversation.id}/messages`
    const own = (await grace.browser.get(path)).body.data[0]
    expect(own).toMatchObject({ hidden: false, text: 'Between us', subject: 'A secret' })
    expect((await grace.browser.get(`/api/files/${own.files[0].id}`)).status).toBe(200)
    expect((await room.ada.browser.get(`/api/files/${own.files[0].id}`)).status).toBe(404)
    expect((await room.ada.browser.get(`${path}/${own.id}/original`)).status).toBe(403)
    const told = await room.app.database.query('select data from events where lead_id = $1', [lead.id])
    expect(JSON.stringify(told)).not.toContain('Between us')
  })

  test('what came to a shared mailbox as well is no secret', async () => {
    const [shared, own] = [fresh(), fresh()]
    await room.connect(shared)
    await room.connect(own, { shared: false, visibility: 'owner' }, grace)
    const lead = await room.lead()
    const mail = {
      from: lead.email,
      message_id: '<cc@navy.example>',
      text: 'To both',
      files: [{ name: 'both.txt', type: 'text/plain', bytes: Buffer.from('both'), content_id: null }],
      fingerprint: 'e'.repeat(32),
    }
    await room.arrives(own, mail)
    await room.arrives(shared, mail)
    const thread = await room.thread((await room.of(lead.id)).id)
    expect(thread).toMatchObject([{ text: 'To both', hidden: false, files: [{ name: 'both.txt' }] }])
    expect((await room.ada.browser.get(`/api/files/${thread[0]!.files[0]!.id}`)).text).toBe('both')
  })
})

describe('what is sent from a mailbox', () => {
  test('has its sender, signature, copies and files, and a copy of it is filed', async () => {
    const address = fresh('sales')
    const { id: mailbox_id } = await room.connect(address, { name: 'The Shop', signature: 'Kind regards' })
    const lead = await room.lead()
    const upload = await room.ada.browser.raw('POST', '/api/files', Buffer.from('%PDF-1.7'), {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="offer.pdf"',
    })
    expect(upload).toMatchObject({ status: 201 })
    const { body } = await room.ada.browser.post(CONVERSATIONS, {
      channel: 'email',
      lead_id: lead.id,
      mailbox_id,
      subject: 'Our offer',
      text: 'Please see the file.',
      cc: ['bob@navy.example', lead.email],
      bcc: ['boss@team.example'],
      file_ids: [upload.body.id],
    })
    await room.out()
    const { sender, mail } = box(address).sent.at(-1)!
    expect(sender).toEqual({ name: 'The Shop', address })
    expect(mail).toMatchObject({
      to: lead.email,
      cc: ['bob@navy.example'],
      bcc: ['boss@team.example'],
      attachments: [{ name: 'offer.pdf', type: 'application/pdf' }],
    })
    expect(mail.text).toContain('Kind regards')
    expect(mail.reply_to).toBeUndefined()
    expect(mail.attachments![0]!.bytes.toString()).toBe('%PDF-1.7')
    expect(box(address).filed).toMatchObject([{ folder: 'Sent', mail: { message_id: mail.message_id } }])
    const [entry] = await room.thread(body.id)
    expect(entry).toMatchObject({
      status: 'SENT',
      mailbox_id,
      cc: [{ address: 'bob@navy.example' }],
      bcc: [{ address: 'boss@team.example' }],
      files: [{ name: 'offer.pdf', size: 8 }],
    })
  })

  test('an answer goes out from the mailbox that was written to, unless it is somebody else’s own', async () => {
    const address = fresh()
    await room.connect(address)
    const lead = await room.lead()
    await room.arrives(address, { from: lead.email })
    const { id } = await room.of(lead.id)
    await room.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'From here' })
    await room.out()
    expect(box(address).sent.at(-1)!.mail.text).toContain('From here')

    const own = fresh()
    const { id: own_id } = await room.connect(own, { shared: false }, grace)
    await room.arrives(own, { from: lead.email, text: 'And you?' })
    await room.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'I am Ada' })
    await room.out()
    expect(box(own).sent).toEqual([])
    expect(
      await room.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, {
        kind: 'reply',
        text: 'Not mine',
        mailbox_id: own_id,
      }),
    ).toMatchObject({ status: 422, body: { errors: [{ path: 'mailbox_id' }] } })
    await room.ada.browser.delete(`${MAILBOXES}/${own_id}`)
  })

  test('copies that nobody may write to, and files of others, are refused before anything is written', async () => {
    const lead = await room.lead()
    await room.ada.browser.post('/api/outreach/suppressions', { email: 'no@navy.example' })
    const wish = { channel: 'email', lead_id: lead.id, subject: 'Hi', text: 'Hello' }
    expect(await room.ada.browser.post(CONVERSATIONS, { ...wish, cc: ['no@navy.example'] })).toMatchObject({
      status: 409,
      body: { code: 'suppressed' },
    })
    expect(await room.ada.browser.post(CONVERSATIONS, { ...wish, file_ids: ['0'.repeat(24)] })).toMatchObject(
      { status: 422, body: { errors: [{ path: 'file_ids[0]' }] } },
    )
    expect(
      await room.ada.browser.post(CONVERSATIONS, { ...wish, channel: 'sms', cc: ['bob@navy.example'] }),
    ).toMatchObject({ status: 422 })
  })

  test('a login that is refused while sending shows in its health, and the message waits', async () => {
    const address = fresh()
    const { id: mailbox_id } = await room.connect(address)
    const lead = await room.lead()
    const { body } = await room.ada.browser.post(CONVERSATIONS, {
      channel: 'email',
      lead_id: lead.id,
      mailbox_id,
      subject: 'Later',
      text: 'It waits.',
    })
    box(address).secret = 'changed'
    await room.out()
    expect((await get(mailbox_id)).health.state).toBe('FAILING')
    expect(await room.thread(body.id)).toMatchObject([{ status: 'DUE' }])
    box(address).secret = undefined
    await room.pass(2 * 60_000)
    expect(await room.thread(body.id)).toMatchObject([{ status: 'SENT' }])
  })

  test('from one that was disconnected meanwhile it fails, and says so', async () => {
    const address = fresh()
    const { id: mailbox_id } = await room.connect(address)
    const lead = await room.lead()
    const { body } = await room.ada.browser.post(CONVERSATIONS, {
      channel: 'email',
      lead_id: lead.id,
      mailbox_id,
      subject: 'Too late',
      text: 'Gone.',
    })
    expect(await room.ada.browser.delete(`${MAILBOXES}/${mailbox_id}`)).toMatchObject({ status: 204 })
    await room.out()
    expect(await room.thread(body.id)).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('disconnected') },
    ])
  })

  test('an address that the server refuses among others is a bounce of the one it was for', async () => {
    const address = fresh()
    const { id: mailbox_id } = await room.connect(address)
    const lead = await room.lead()
    box(address).refuses = [lead.email]
    const { body } = await room.ada.browser.post(CONVERSATIONS, {
      channel: 'email',
      lead_id: lead.id,
      mailbox_id,
      subject: 'Hi',
      text: 'Hello',
      cc: ['bob@navy.example'],
    })
    await room.out()
    const [entry] = await room.thread(body.id)
    expect(entry!.bounced_at).not.toBeNull()
  })
})
