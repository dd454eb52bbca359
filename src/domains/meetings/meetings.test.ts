import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { bookMeeting, hostFor, SlotTaken } from './service.ts'
import { openOffice, type Office } from './meetings.harness.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.close())
beforeEach(() => office.clock.set('2026-03-02T09:00:00.000Z'))

const TEN = '2026-03-03T10:00:00.000Z'

describe('a meeting is booked', () => {
  test('with what is known of the lead and of the host', async () => {
    const { ada, lead_id, guest, book } = await office.host({ title: 'Intro', location: 'Room 1' })
    const reply = await book(TEN)
    expect(reply).toMatchObject({
      status: 201,
      body: {
        lead_id,
        host_id: ada.user_id,
        starts_at: TEN,
        ends_at: '2026-03-03T10:30:00.000Z',
        timezone: 'America/New_York',
        location: 'Room 1',
        guest_name: 'Grace Hopper',
        guest_email: guest,
        status: 'BOOKED',
        origin: 'person',
        sync_state: 'NONE',
      },
    })
    expect(reply.body.title).toMatch(/^Intro: Grace Hopper and /)
    expect(reply.headers.get('location')).toBe(`/api/crm/meetings/${reply.body.id}`)
    const read = await ada.browser.get(`/api/crm/meetings/${reply.body.id}`)
    expect(read.body).toEqual(reply.body)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  })

  test('by a key of an app, with its own words, length and zone', async () => {
    const { ada, lead_id } = await office.host()
    const key = await ada.key(['outreach:write'])
    const body = {
      starts_at: '2026-03-03T11:00:00+01:00',
      duration_min: 45,
      title: 'Demo',
      timezone: 'Asia/Tokyo',
    }
    const reply = await key.post(`/api/outreach/${lead_id}/meeting`, body)
    expect(reply).toMatchObject({
      status: 201,
      body: {
        starts_at: TEN,
        ends_at: '2026-03-03T10:45:00.000Z',
        title: 'Demo',
        timezone: 'Asia/Tokyo',
        origin: 'api',
      },
    })
  })

  test('and the timeline of the lead tells of it, and its outreach has come to its end', async () => {
    const { ada, lead_id, booked } = await office.host()
    const sequence = await ada.browser.post('/api/outreach/sequences', {
      name: 'Spring',
      status: 'ACTIVE',
      steps: [{ type: 'task', delay_days: 3, description: 'Call' }],
    })
    const enrolled = await ada.browser.post(`/api/outreach/sequences/${sequence.body.id}/enrolments`, {
      lead_ids: [lead_id],
    })
    const { id } = await booked(TEN)
    const enrolment = await ada.browser.get(`/api/outreach/enrolments/${enrolled.body.data[0].id}`)
    expect(enrolment.body).toMatchObject({ status: 'MEETING_BOOKED' })
    expect(enrolment.body.ended_at).not.toBeNull()
    const { body } = await ada.browser.get(`/api/crm/leads/${lead_id}/timeline?type=meeting.booked`)
    expect(body.data).toMatchObject([{ type: 'meeting.booked', subject: { id } }])
  })

  test.for<[object, string]>([
    [{ starts_at: TEN, ends_at: '2026-03-03T09:00:00Z' }, 'ends_at'],
    [{ starts_at: TEN, ends_at: TEN }, 'ends_at'],
    [{ starts_at: TEN, ends_at: '2026-03-03T10:04:00Z' }, 'ends_at'],
    [{ starts_at: TEN, ends_at: '2026-03-03T18:01:00Z' }, 'ends_at'],
    [{ starts_at: TEN, ends_at: '2026-03-03T10:30:00Z', duration_min: 45 }, 'duration_min'],
    [{ starts_at: TEN, duration_min: 4 }, 'duration_min'],
    [{ starts_at: TEN, timezone: 'Mars/Base' }, 'timezone'],
    [{ starts_at: TEN, host_id: '65e2f0000000000000000009' }, 'host_id'],
    [{ starts_at: TEN, lead_id: '65e2f0000000000000000009' }, 'lead_id'],
  ])('%j is refused because of %s', async ([body, path]) => {
    const { book } = await office.host()
    const reply = await book(TEN, body)
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ path }] } })
  })

  test('of the shortest and of the longest there is', async () => {
    const { booked } = await office.host()
    await booked(TEN, { ends_at: '2026-03-03T10:05:00Z' })
    await booked('2026-03-04T10:00:00Z', { ends_at: '2026-03-04T18:00:00Z' })
  })

  test('not in the past, and up to this very moment', async () => {
    const { book, booked } = await office.host()
    const late = await book('2026-03-02T08:59:59.999Z')
    expect(late).toMatchObject({ status: 422, body: { code: 'in_the_past' } })
    await booked('2026-03-02T09:00:00Z')
    for (const far of ['9999-12-31T23:59:59Z', '2226-03-02T09:00:00Z'])
      expect(await book(far)).toMatchObject({ status: 422, body: { errors: [{ path: 'starts_at' }] } })
  })

  test('once for one key, whoever the host would be the second time', async () => {
    const { ada, lead_id } = await office.host()
    const grace = await colleagueOf(office.app, ada, 'MEMBER')
    const wanted = { lead_id, starts_at: TEN, origin: 'agent' as const, source_key: 'call-1' }
    const [first, ...others] = await Promise.all([
      bookMeeting(ada.ctx, wanted),
      bookMeeting(ada.ctx, { ...wanted, host_id: grace.user_id }),
      bookMeeting(ada.ctx, wanted),
    ])
    for (const other of others) expect(other).toEqual(first)
    office.clock.advance(7 * 86_400_000)
    expect(await bookMeeting(ada.ctx, wanted)).toEqual(first)
  })

  test('with a lead that has no address, and whatever a model said is tidied', async () => {
    const { ada } = await office.host()
    const lead = await ada.browser.post('/api/crm/leads', { phone: '+4930123456' })
    const meeting = await bookMeeting(ada.ctx, {
      lead_id: lead.body.id,
      starts_at: TEN,
      origin: 'agent',
      title: `A\r\nBcc: eve@example.net\0${'x'.repeat(600)}`,
      location: '\r\n',
    })
    expect(meeting).toMatchObject({ guest_email: null, guest_name: '+4930123456', location: null })
    expect(meeting.title).toMatch(/^A Bcc: eve@example.net x+…$/)
    expect(meeting.title).toHaveLength(500)
  })
})

describe('a time that is taken', () => {
  test('is refused with the next that are free', async () => {
    const { book, booked } = await office.host()
    await booked(TEN)
    const reply = await book('2026-03-03T10:29:00Z')
    expect(reply).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    expect(reply.body.errors.map(({ message }) => message)).toEqual([
      'is taken',
      '2026-03-03T10:30:00.000Z is free',
      '2026-03-03T10:45:00.000Z is free',
      '2026-03-03T11:00:00.000Z is free',
    ])
    await booked('2026-03-03T10:30:00Z')
    await booked('2026-03-03T09:30:00Z')
  })

  test('is told to a caller in the house as times', async () => {
    const { ada, lead_id, booked } = await office.host()
    await booked('2026-03-06T15:30:00Z')
    const wanted = { lead_id, starts_at: '2026-03-06T15:30:00Z', origin: 'agent' as const, duration_min: 60 }
    const refusal = await bookMeeting(ada.ctx, wanted).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SlotTaken)
    expect((refusal as SlotTaken).alternatives).toEqual(
      ['08:00', '08:15', '08:30'].map((time, at) => ({
        starts_at: `2026-03-09T${time}:00.000Z`,
        ends_at: `2026-03-09T${['09:00', '09:15', '09:30'][at]}:00.000Z`,
      })),
    )
  })

  test('is told inside a transaction that goes on', async () => {
    const { ada, lead_id, booked } = await office.host()
    await booked(TEN)
    const wanted = { lead_id, starts_at: TEN, origin: 'agent' as const }
    const meeting = await ada.ctx.transaction(async ctx => {
      const taken = await bookMeeting(ctx, wanted).catch((error: unknown) => error as SlotTaken)
      return bookMeeting(ctx, { ...wanted, ...(taken as SlotTaken).alternatives[0]! })
    })
    expect((await ada.browser.get(`/api/crm/meetings/${meeting.id}`)).body.starts_at).toBe(
      '2026-03-03T10:30:00.000Z',
    )
  })

  test('counts the buffers, also where the meeting before was booked without them', async () => {
    const { ada, book, booked } = await office.host()
    await booked(TEN)
    await ada.browser.patch('/api/meetings/availability', { buffer_after_min: 15 })
    expect((await book('2026-03-03T10:44:00Z')).status).toBe(409)
    await booked('2026-03-03T10:45:00Z')
    expect((await book('2026-03-03T09:16:00Z')).status).toBe(409)
    await booked('2026-03-03T09:15:00Z')
  })

  test('is one that another calendar has, unless what it has is the meeting itself', async () => {
    const { ada, book, booked, change } = await office.host()
    const { id, calendar_uid } = await booked(TEN)
    await office.app.database.query(
      `insert into calendar_connections (team_id, user_id, kind, server_url, username, password, calendar_url, state,
         read_at, created_at, updated_at)
       values ($1, $2, 'caldav', 'https://dav.example.test', 'ada', 'sealed', 'https://dav.example.test/1', 'OK',
         now() + interval '300 years', now(), now())`,
      [ada.team_id, ada.user_id],
    )
    const busy =
      'insert into busy_times (team_id, user_id, uid, starts_at, ends_at) values ($1, $2, $3, $4, $5)'
    const on = [ada.team_id, ada.user_id]
    await office.app.database.query(busy, [...on, calendar_uid, TEN, '2026-03-03T10:30:00Z'])
    await office.app.database.query(busy, [...on, 'dentist', '2026-03-03T14:00:00Z', '2026-03-03T15:00:00Z'])
    expect((await book('2026-03-03T14:59:00Z')).status).toBe(409)
    await booked('2026-03-03T15:00:00Z')
    expect(await change(id, { starts_at: '2026-03-03T10:15:00Z' })).toMatchObject({ status: 200 })
    await booked('2026-03-03T10:45:00Z')
  })

  test('of one host is free with another, and of what was cancelled free again', async () => {
    const { ada, booked, cancel } = await office.host()
    const grace = await colleagueOf(office.app, ada, 'MEMBER')
    const { id } = await booked(TEN)
    await booked(TEN, { host_id: grace.user_id })
    await cancel(id)
    await booked(TEN)
  })

  test('stays taken while the table itself is asked', async () => {
    const { booked } = await office.host()
    const { id } = await booked(TEN)
    const copy = office.app.database.query(
      `insert into meetings (team_id, id, host_id, title, starts_at, ends_at, timezone, status, origin, calendar_uid,
         sync_state, created_at, updated_at)
       select team_id, reverse(id), host_id, title, ends_at - interval '1 minute', ends_at + interval '1 minute', timezone,
         'HELD', origin, 'x', sync_state, created_at, updated_at from meetings where id = $1`,
      [id],
    )
    await expect(copy).rejects.toMatchObject({ code: '23P01' })
  })
})

describe('who meets a lead', () => {
  test('is its owner, else who set up first when to be met, else who runs the team', async () => {
    const ada = await office.app.person()
    const [bob, cleo] = [
      await colleagueOf(office.app, ada, 'ADMIN'),
      await colleagueOf(office.app, ada, 'MEMBER'),
    ]
    const of = (owner_id: string | null) => hostFor(ada.ctx, { owner_id })
    expect(await of(bob.user_id)).toBe(bob.user_id)
    expect(await of(null)).toBe(ada.user_id)
    await cleo.browser.patch('/api/meetings/availability', { duration_min: 15 })
    office.clock.advance(1_000)
    await bob.browser.patch('/api/meetings/availability', { duration_min: 15 })
    expect(await of(null)).toBe(cleo.user_id)
    expect(await of('65e2f0000000000000000009')).toBe(cleo.user_id)
    await ada.browser.delete(`/api/team/members/${cleo.user_id}`)
    expect(await of(cleo.user_id)).toBe(bob.user_id)
  })
})

describe('what becomes of a meeting', () => {
  test('is said by a person once it has begun, and can be taken back', async () => {
    const { booked, change } = await office.host()
    const { id } = await booked(TEN)
    expect(await change(id, { status: 'HELD' })).toMatchObject({
      status: 409,
      body: { code: 'meeting_not_begun' },
    })
    office.clock.set(TEN)
    expect((await change(id, { status: 'NO_SHOW' })).body.status).toBe('NO_SHOW')
    expect((await change(id, { status: 'HELD' })).body.status).toBe('HELD')
    const moved = await change(id, { starts_at: '2026-03-10T10:00:00Z' })
    expect(moved).toMatchObject({ status: 409, body: { code: 'meeting_over' } })
    expect((await change(id, { status: 'BOOKED' })).body.status).toBe('BOOKED')
  })

  test('is nothing more once it is cancelled', async () => {
    const { booked, change, cancel } = await office.host()
    const { id } = await booked(TEN)
    const first = await cancel(id, { reason: 'Ill' })
    expect(first.body).toMatchObject({ status: 'CANCELLED', cancel_reason: 'Ill' })
    expect((await cancel(id, { reason: 'Well' })).body).toEqual(first.body)
    for (const body of [{ title: 'New' }, { starts_at: '2026-03-10T10:00:00Z' }, { status: 'BOOKED' }])
      expect(await change(id, body)).toMatchObject({ status: 409, body: { code: 'meeting_cancelled' } })
  })

  test('is the same when its lead goes to the trash', async () => {
    const { ada, lead_id, booked, cancel } = await office.host()
    const { id } = await booked(TEN)
    await ada.browser.delete(`/api/crm/leads/${lead_id}`)
    expect((await ada.browser.get(`/api/crm/meetings/${id}`)).body).toMatchObject({
      lead_id,
      status: 'BOOKED',
    })
    expect((await cancel(id)).status).toBe(200)
    const again = await ada.browser.post(`/api/outreach/${lead_id}/meeting`, { starts_at: TEN })
    expect(again).toMatchObject({ status: 404, body: { code: 'in_trash' } })
  })
})

describe('a meeting is moved', () => {
  test('as long as it was, or as long as it is told', async () => {
    const { booked, change } = await office.host()
    const { id } = await booked(TEN, { duration_min: 45 })
    const moved = await change(id, { starts_at: '2026-03-03T10:15:00Z' })
    expect(moved.body).toMatchObject({ ends_at: '2026-03-03T11:00:00.000Z', status: 'BOOKED' })
    const longer = await change(id, { ends_at: '2026-03-03T11:30:00Z' })
    expect(longer.body).toMatchObject({
      starts_at: '2026-03-03T10:15:00.000Z',
      ends_at: '2026-03-03T11:30:00.000Z',
    })
    const same = await change(id, { starts_at: '2026-03-03T10:15:00.000Z' })
    expect(same.body.updated_at).toBe(longer.body.updated_at)
  })

  test('neither into the past nor onto another', async () => {
    const { booked, change } = await office.host()
    const { id } = await booked(TEN)
    await booked('2026-03-03T12:00:00Z')
    expect(await change(id, { starts_at: '2026-03-01T10:00:00Z' })).toMatchObject({
      status: 422,
      body: { code: 'in_the_past' },
    })
    const onto = await change(id, { starts_at: '2026-03-03T11:45:00Z' })
    expect(onto).toMatchObject({ status: 409, body: { code: 'slot_taken' } })
    expect(onto.body.errors[1]!.message).toBe('2026-03-03T12:30:00.000Z is free')
    expect((await change(id, { starts_at: '2026-03-03T11:30:00Z' })).status).toBe(200)
  })

  test('only as it was last seen, where somebody says so', async () => {
    const { booked, change } = await office.host()
    const { id } = await booked(TEN)
    const stale = await change(id, { title: 'New' }, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
  })
})

describe('meetings are listed', () => {
  test('by their time, of a time, of a state, of a lead, and by words', async () => {
    const { ada, lead_id, booked, cancel } = await office.host()
    const late = await booked('2026-03-05T10:00:00Z', { title: 'Quarterly review' })
    const early = await booked(TEN, { title: 'Intro' })
    const list = async (query: string) =>
      (await ada.browser.get(`/api/crm/meetings${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await list('')).toEqual([early.id, late.id])
    expect(await list('?sort=-starts_at&limit=1')).toEqual([late.id])
    expect(await list('?from=2026-03-03T10:30:00Z')).toEqual([late.id])
    expect(await list('?until=2026-03-05T10:00:00Z')).toEqual([early.id])
    expect(await list('?q=quarterly')).toEqual([late.id])
    expect(await list('?q=hopper')).toHaveLength(2)
    expect(await list(`?lead_id=${lead_id}&host_id=${ada.user_id}`)).toHaveLength(2)
    await cancel(early.id)
    expect(await list('?status=CANCELLED&status=HELD')).toEqual([early.id])
    const { body } = await ada.browser.get('/api/crm/search?q=quarterly')
    expect(body.data).toMatchObject([{ kind: 'meeting', id: late.id, title: 'Quarterly review' }])
  })

  test('and told to nobody of another team', async () => {
    const { booked } = await office.host()
    const eve = await office.host()
    const { id } = await booked(TEN)
    for (const reply of [
      await eve.ada.browser.get(`/api/crm/meetings/${id}`),
      await eve.change(id, { title: 'Mine' }),
      await eve.cancel(id),
    ])
      expect(reply.status).toBe(404)
    expect((await eve.ada.browser.get('/api/crm/meetings')).body.data).toEqual([])
  })
})

test('a host is told in the app of what others do, and not of what it did itself', async () => {
  const { ada, lead_id, booked } = await office.host()
  const bob = await colleagueOf(office.app, ada, 'MEMBER')
  await booked(TEN)
  const unread = async () => (await ada.browser.get('/api/notifications')).body.data
  expect(await unread()).toEqual([])
  const other = { lead_id, host_id: ada.user_id, starts_at: '2026-03-03T12:00:00Z', title: 'Demo' }
  const { body } = await bob.browser.post('/api/crm/meetings', other)
  expect(await unread()).toMatchObject([
    { title: 'Meeting booked: Demo', link: `/meetings?meeting=${body.id}`, source_kind: 'meeting' },
  ])
})

test('who leaves the team frees the address, and its calendar is forgotten', async () => {
  const { ada } = await office.host()
  const bob = await colleagueOf(office.app, ada, 'MEMBER')
  await bob.browser.patch('/api/meetings/availability', { slug: 'leaving-soon', active: true })
  await ada.browser.delete(`/api/team/members/${bob.user_id}`)
  await eventually(async () => {
    const rows = await office.app.database.query(`select from booking_addresses where slug = 'leaving-soon'`)
    expect(rows).toEqual([])
  })
  expect(await ada.browser.patch('/api/meetings/availability', { slug: 'leaving-soon' })).toMatchObject({
    status: 200,
  })
})
