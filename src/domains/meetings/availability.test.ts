import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { colleagueOf } from '#test/colleague.ts'
import { findLetters, renderEmail, valuesOf } from '#domains/messages/letters.ts'
import { senderOf } from '#domains/messages/settings.ts'
import { writeMessages } from '#domains/messages/compose.ts'
import { getLead } from '#domains/leads/service.ts'
import { slugFrom } from './addresses.ts'
import { bookMeeting, moveMeeting, SlotTaken } from './service.ts'
import { openOffice, type Office } from './meetings.harness.ts'
import {
  feedToken,
  guestToken,
  meetingToken,
  readFeedToken,
  readGuestToken,
  readMeetingToken,
} from './tokens.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.close())
beforeEach(() => office.clock.set('2026-03-02T09:00:00.000Z'))

describe('when somebody can be met', () => {
  test('is on working days until they say otherwise, and the booking page is open', async () => {
    const ada = await office.app.person('zoe.muller@example.test')
    const { body } = await ada.browser.get('/api/meetings/availability')
    expect(body).toMatchObject({ active: true, timezone: 'UTC', duration_min: 30, exceptions: [] })
    expect(body.hours).toEqual([1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', until: '17:00' })))
    expect(body.booking_url).toBe(`${office.app.url}/book/${body.slug}`)
    expect((await fetch(body.booking_url)).status).toBe(200)
    await ada.browser.patch('/api/meetings/availability', { active: false })
    expect((await fetch(body.booking_url)).status).toBe(404)
  })

  test('is changed by oneself, and the address stays until another is asked for', async () => {
    const ada = await office.app.person()
    const first = await ada.browser.patch('/api/meetings/availability', {
      active: true,
      timezone: 'Europe/Berlin',
    })
    expect(first).toMatchObject({ status: 200, body: { active: true, timezone: 'Europe/Berlin' } })
    const { slug } = first.body
    const second = await ada.browser.patch('/api/meetings/availability', { duration_min: 45 })
    expect(second.body).toMatchObject({ slug, duration_min: 45, timezone: 'Europe/Berlin' })
    const third = await ada.browser.patch('/api/meetings/availability', { slug: `${slug}-new` })
    expect(third.body.slug).toBe(`${slug}-new`)
    const rows = await office.app.database.query('select slug from booking_addresses where user_id = $1', [
      ada.user_id,
    ])
    expect(rows).toEqual([{ slug: `${slug}-new` }])
    const stale = await ada.browser.patch(
      '/api/meetings/availability',
      { duration_min: 15 },
      { 'if-match': '"1"' },
    )
    expect(stale.status).toBe(412)
  })

  test('has an address that nobody else has, in any team', async () => {
    const [ada, eve] = [await office.app.person(), await office.app.person()]
    await ada.browser.patch('/api/meetings/availability', { slug: 'the-one' })
    const taken = await eve.browser.patch('/api/meetings/availability', { slug: 'the-one' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'slug_taken', errors: [{ path: 'slug' }] } })
    expect((await eve.browser.patch('/api/meetings/availability', { slug: 'assets' })).status).toBe(409)
    expect(
      (await ada.browser.patch('/api/meetings/availability', { slug: 'the-one', active: true })).status,
    ).toBe(200)
  })

  test('two of one name get addresses beside each other', async () => {
    const ada = await office.app.person('sam@one.example')
    const sam = await office.app.person('sam@two.example')
    const slugs = []
    for (const { browser } of [ada, sam])
      slugs.push((await browser.patch('/api/meetings/availability', { duration_min: 20 })).body.slug)
    expect(slugs[1]).toBe(`${slugs[0]}-2`)
  })

  test.for<[object, string]>([
    [{ hours: [{ day: 1, from: '10:00', until: '10:00' }] }, 'hours.0'],
    [{ hours: [{ day: 1, from: '11:00', until: '10:00' }] }, 'hours.0'],
    [
      {
        hours: [
          { day: 1, from: '09:00', until: '12:00' },
          { day: 2, from: '09:00', until: '12:00' },
          { day: 1, from: '11:59', until: '13:00' },
        ],
      },
      'hours.2',
    ],
    [
      { exceptions: [{ day: '2026-12-24', hours: [{ from: '12:00', until: '11:00' }] }] },
      'exceptions.0.hours.0',
    ],
    [
      {
        exceptions: [
          { day: '2026-12-24', hours: [] },
          { day: '2026-12-24', hours: [] },
        ],
      },
      'exceptions.1.day',
    ],
    [{ exceptions: [{ day: '2026-02-29', hours: [] }] }, 'exceptions[0].day'],
    [{ hours: [{ day: 8, from: '09:00', until: '10:00' }] }, 'hours[0].day'],
    [{ hours: [{ day: 1, from: '9:00', until: '24:01' }] }, 'hours[0].from'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ per_day_max: 0 }, 'per_day_max'],
    [{ horizon_days: 366 }, 'horizon_days'],
    [{ slug: '-a' }, 'slug'],
  ])('%j is refused', async ([body, path]) => {
    const { ada } = await office.host()
    const reply = await ada.browser.patch('/api/meetings/availability', body)
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0].path.replaceAll(/\[(\d+)\]/g, '.$1')).toBe(
      path.replaceAll(/\[(\d+)\]/g, '.$1'),
    )
  })

  test('a viewer reads it and changes nothing', async () => {
    const { ada } = await office.host()
    const viewer = await colleagueOf(office.app, ada, 'VIEWER')
    expect(await viewer.browser.get('/api/meetings/availability')).toMatchObject({
      status: 200,
      body: { active: false },
    })
    expect((await viewer.browser.patch('/api/meetings/availability', { active: true })).status).toBe(403)
    expect((await viewer.browser.post('/api/meetings/availability/feed')).status).toBe(403)
  })
})

describe('slots', () => {
  test('are those of the host in its zone, without what is taken', async () => {
    const { ada, booked, slots } = await office.host({ duration_min: 60 })
    await booked('2026-03-03T09:00:00Z')
    const found = await slots('2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z')
    expect(found.slice(0, 2)).toEqual(['2026-03-03T08:00:00.000Z', '2026-03-03T10:00:00.000Z'])
    expect(found.at(-1)).toBe('2026-03-03T15:00:00.000Z')
    const bob = await colleagueOf(office.app, ada, 'MEMBER')
    const others = await slots(
      '2026-03-03T00:00:00Z',
      '2026-03-04T00:00:00Z',
      `&host_id=${bob.user_id}&duration_min=15`,
    )
    // Who has said nothing keeps the hours of the team's zone.
    expect(others[0]).toBe('2026-03-03T08:00:00.000Z')
  })

  test.for([
    ['2026-03-03T00:00:00Z', '2026-03-03T00:00:00Z', ''],
    ['2026-03-03T00:00:00Z', '2026-05-04T00:00:00.001Z', ''],
  ])('from %s until %s%s are refused', async ([from, until, more]) => {
    const { ada } = await office.host()
    expect((await ada.browser.get(`/api/meetings/slots?from=${from}&until=${until}${more}`)).status).toBe(422)
  })

  test('of who is not of the team are none, and where nothing is said they are one’s own of the next fortnight', async () => {
    const { ada, slots } = await office.host()
    const stranger = '&host_id=65e2f0000000000000000009'
    expect(await slots('2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z', stranger)).toEqual([])
    const { body } = await ada.browser.get('/api/meetings/slots')
    expect(body).toMatchObject({ host_id: ada.user_id, timezone: 'Europe/Berlin' })
    expect(body.slots.at(-1).starts_at).toBe('2026-03-16T08:45:00.000Z')
    const key = await ada.key(['meetings:read'])
    expect((await key.get('/api/meetings/slots')).body).toEqual(body)
    for (const far of ['from=0001-01-01T00:00:00Z&until=0001-01-02T00:00:00Z', 'from=9999-12-31T23:00:00Z'])
      for (const of of ['slots', 'busy'])
        expect((await ada.browser.get(`/api/meetings/${of}?${far}`)).body[of]).toEqual([])
  })

  test('of two months are found at once', async () => {
    const { slots } = await office.host({ horizon_days: 365 })
    expect((await slots('2026-03-03T00:00:00Z', '2026-05-04T00:00:00Z')).length).toBeGreaterThan(1_000)
  })

  test('are what a stranger can book and move to, and nothing beside them', async () => {
    const { ada, lead_id } = await office.host({ notice_min: 120, horizon_days: 7 })
    const book = (starts_at: string) => bookMeeting(ada.ctx, { lead_id, starts_at, origin: 'booking_page' })
    for (const refused of [
      '2026-03-02T10:45:00Z', // within the notice
      '2026-03-03T08:05:00Z', // between the slots
      '2026-03-03T16:00:00Z', // after hours
      '2026-03-07T10:00:00Z', // a Saturday
      '2026-03-10T10:00:00Z', // beyond the horizon
    ])
      await expect(book(refused), refused).rejects.toBeInstanceOf(SlotTaken)
    const { id } = await book('2026-03-02T11:00:00Z')
    await expect(
      moveMeeting(ada.ctx, id, { starts_at: '2026-03-07T10:00:00Z' }, undefined, { offered: true }),
    ).rejects.toBeInstanceOf(SlotTaken)
    const moved = await moveMeeting(ada.ctx, id, { starts_at: '2026-03-02T11:15:00Z' }, undefined, {
      offered: true,
    })
    expect(moved.starts_at).toBe('2026-03-02T11:15:00.000Z')
    // Whoever works here knows better.
    expect((await moveMeeting(ada.ctx, id, { starts_at: '2026-03-07T10:00:00Z' })).status).toBe('BOOKED')
  })
})

describe('links', () => {
  test('are worth nothing in the place of another, or changed by a letter', () => {
    const { settings } = office.app.runtime
    const [team_id, other] = ['65e2f0000000000000000001', '65e2f0000000000000000002']
    const tokens = [
      meetingToken(settings, { team_id, meeting_id: other }),
      guestToken(settings, { team_id, lead_id: other }),
      feedToken(settings, { team_id, user_id: other, version: 7 }),
    ] as const
    expect(readMeetingToken(settings, tokens[0])).toEqual({ team_id, meeting_id: other })
    expect(readGuestToken(settings, tokens[1])).toEqual({ team_id, lead_id: other })
    expect(readFeedToken(settings, tokens[2])).toEqual({ team_id, user_id: other, version: 7 })
    const readers = [readMeetingToken, readGuestToken, readFeedToken]
    for (const [at, token] of tokens.entries())
      for (const [by, read] of readers.entries()) {
        if (at !== by) expect(read(settings, token)).toBeUndefined()
        for (let n = 0; n < token.length - 1; n++) {
          const changed = token.slice(0, n) + (token[n] === 'A' ? 'B' : 'A') + token.slice(n + 1)
          expect(read(settings, changed)).toBeUndefined()
        }
      }
    for (const text of ['', 'x', 'x'.repeat(10_000), '%00'])
      expect(readMeetingToken(settings, text)).toBeUndefined()
  })

  test('to a meeting in a mail are the lead’s own, where the team’s page is one of ours', async () => {
    const { ada, lead_id } = await office.host({ slug: 'book-ada' })
    const { settings } = office.app.runtime
    const { ctx } = ada
    const set = (meeting_url: string) => ada.browser.patch('/api/outreach/settings', { meeting_url })
    await set(`${settings.baseUrl}/book/book-ada`)
    await ada.browser.post('/api/outreach/templates', {
      name: 'meet',
      subject: 'Hi',
      body: '[Meet]({{meetingLink}})',
    })
    const lead = await getLead(ctx, lead_id)
    const letter = (await findLetters(ctx, ['meet'])).get('meet')!
    const sender = await senderOf(ctx)
    const { html } = renderEmail(ctx, letter, lead, sender, 'https://x.example/u')
    const [, link] = /href="([^"]*\/book\/book-ada[^"]*)"/.exec(html)!
    expect(readGuestToken(settings, new URL(link!).searchParams.get('for')!)).toEqual({
      team_id: ada.team_id,
      lead_id,
    })
    // Whoever follows it has followed a link to a meeting.
    const content = { subject: 'Hi', html, text: '', thread: [], meeting_url: sender.meeting_url }
    const origin = { source_kind: 'person' as const, source_id: null, source_name: null }
    const draft = {
      id: ctx.newId(),
      lead_id,
      address: lead.email!,
      track: { opens: false, clicks: true },
      origin,
    }
    await ctx.transaction(async ctx => writeMessages(ctx, { emails: [{ ...draft, ...content }] }))
    const read = 'select links from messages where team_id = $1'
    const [written] = await office.app.database.query<{ links: { meeting: boolean }[] }>(read, [ada.team_id])
    expect(written!.links).toContainEqual({ url: link, meeting: true })
    for (const elsewhere of ['https://meet.example.test/ada', `${settings.baseUrl}/book/x/../y`])
      expect(valuesOf(ctx, lead, { ...sender, meeting_url: elsewhere }).meetingLink).toBe(elsewhere)
    expect(valuesOf(ctx, null, sender).meetingLink).toBe(`${settings.baseUrl}/book/book-ada`)
  })

  test('to a meeting lead to the sender’s booking page, else the owner’s, else the first host’s, else nowhere', async () => {
    const { ada, lead_id, email } = await office.host({ slug: 'first-host' })
    const bob = await colleagueOf(office.app, ada, 'MEMBER')
    const { ctx } = ada
    const pageOf = async () => {
      const link = valuesOf(ctx, await getLead(ctx, lead_id), await senderOf(ctx)).meetingLink!
      return link === '' ? '' : new URL(link).pathname.replace('/book/', '')
    }
    await ada.browser.patch(`/api/crm/leads/${lead_id}`, { owner_id: null })
    expect(await pageOf()).toBe('first-host')
    await ada.browser.patch(`/api/crm/leads/${lead_id}`, { owner_id: bob.user_id })
    const { slug } = (await bob.browser.get('/api/meetings/availability')).body
    expect(await pageOf()).toBe(slug)
    const link = valuesOf(ctx, await getLead(ctx, lead_id), await senderOf(ctx)).meetingLink!
    expect((await fetch(link)).status).toBe(200)
    await ada.browser.patch('/api/outreach/settings', { reply_to: email })
    expect(await pageOf()).toBe('first-host')
    for (const { browser } of [ada, bob]) await browser.patch('/api/meetings/availability', { active: false })
    expect(await pageOf()).toBe('')
  })

  test.for([
    ['Zoë Müller', 'zoe-muller'],
    ['李', 'meet-me'],
    ['Al', 'meet-al'],
    ['a'.repeat(200), 'a'.repeat(54)],
  ])('the name %s is found at %s', ([name, slug]) => expect(slugFrom(name!)).toBe(slug))
})
