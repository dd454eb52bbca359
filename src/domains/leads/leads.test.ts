import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { recount } from './counts.ts'
import { changeLeads } from './service.ts'

let app: TestApp
let ada: Person
let key: Client
const clock = new FakeClock()

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

async function newLead(fields: Record<string, unknown> = { first_name: 'Grace' }) {
  const { body } = await key.post('/api/crm/leads', fields)
  return body
}

describe('creating', () => {
  test('a new lead is answered whole, with its address and version', async () => {
    const reply = await key.post('/api/crm/leads', {
      first_name: 'Grace',
      last_name: 'Hopper',
      email: 'grace@navy.example',
    })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      first_name: 'Grace',
      status: 'NEW',
      call_status: 'NONE',
      pipeline_stage: 'New',
      custom: {},
    })
    expect(reply.headers.get('location')).toBe(`/api/crm/leads/${reply.body.id}`)
    const read = await key.get(`/api/crm/leads/${reply.body.id}`)
    expect(read.body).toEqual(reply.body)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  })

  test('a lead needs something to know it by', async () => {
    const reply = await key.post('/api/crm/leads', { title: 'CTO' })
    expect(reply.status).toBe(422)
    expect(reply.body.errors[0].message).toContain('at least one of first_name')
  })

  test('a stage, an owner or an account that the team does not have is refused, each by name', async () => {
    const stranger = await app.person()
    const stage = await key.post('/api/crm/leads', { first_name: 'A', pipeline_stage: 'Nowhere' })
    expect(stage.body.errors).toEqual([
      { path: 'pipeline_stage', message: expect.stringContaining('must be one of New') },
    ])
    const owner = await key.post('/api/crm/leads', { first_name: 'A', owner_id: stranger.user_id })
    expect(owner.body.errors).toEqual([{ path: 'owner_id', message: 'is not a member of this team' }])
    const account = await key.post('/api/crm/leads', { first_name: 'A', account_id: 'a'.repeat(24) })
    expect(account.body.errors[0].path).toBe('account_id')
  })
})

describe('changing', () => {
  test('only what is given changes, and the timeline tells before and after and who did it', async () => {
    const lead = await newLead({ first_name: 'Alan', company: 'Bletchley' })
    const reply = await ada.browser.patch(`/api/crm/leads/${lead.id}`, {
      company: 'Manchester',
      pipeline_stage: 'Qualified',
    })
    expect(reply.body).toMatchObject({
      first_name: 'Alan',
      company: 'Manchester',
      pipeline_stage: 'Qualified',
    })
    const { body } = await key.get(`/api/crm/leads/${lead.id}/timeline`)
    expect(body.data[0]).toMatchObject({
      type: 'lead.changed',
      cause: { kind: 'person', id: ada.user_id },
      data: {
        before: { company: 'Bletchley', pipeline_stage: 'New' },
        after: { company: 'Manchester', pipeline_stage: 'Qualified' },
      },
    })
    expect(body.data.at(-1)).toMatchObject({ type: 'lead.created', cause: { kind: 'key' } })
  })

  test('a change that changes nothing is no event and no new version', async () => {
    const lead = await newLead({ first_name: 'Same', custom: {} })
    const reply = await key.patch(`/api/crm/leads/${lead.id}`, { first_name: 'Same' })
    expect(reply.body.updated_at).toBe(lead.updated_at)
    const { body } = await key.get(`/api/crm/leads/${lead.id}/timeline`)
    expect(body.data).toHaveLength(1)
  })

  test('two changes within one millisecond are two versions, and a stale If-Match is refused', async () => {
    const lead = await newLead()
    const first = await key.patch(`/api/crm/leads/${lead.id}`, { title: 'Admiral' })
    const stale = await key.patch(
      `/api/crm/leads/${lead.id}`,
      { title: 'Captain' },
      { 'if-match': `"${Date.parse(lead.updated_at).toString(36)}"` },
    )
    expect(first.body.updated_at > lead.updated_at).toBe(true)
    expect(stale.status).toBe(412)
    const right = await key.patch(
      `/api/crm/leads/${lead.id}`,
      { title: 'Captain' },
      { 'if-match': first.headers.get('etag')! },
    )
    expect(right.status).toBe(200)
  })

  test('the last thing a lead is known by cannot be taken away', async () => {
    const lead = await newLead({ email: 'only@this.example' })
    expect((await key.patch(`/api/crm/leads/${lead.id}`, { email: null })).status).toBe(422)
  })

  test('a note stands on the timeline and moves the lead up by its activity', async () => {
    const lead = await newLead()
    clock.advance(60_000)
    const note = await ada.browser.post(`/api/crm/leads/${lead.id}/notes`, {
      text: 'Wants a call on Tuesday',
    })
    expect(note.status).toBe(201)
    await eventually(async () => {
      const { body } = await key.get(`/api/crm/leads/${lead.id}`)
      expect(body.last_activity_at).toBe(note.body.at)
    })
    const { body } = await key.get(`/api/crm/leads/${lead.id}/timeline?type=lead.noted`)
    expect(body.data).toEqual([note.body])
  })
})

describe('the trash', () => {
  test('a trashed lead is gone from reads and lists, says where it is, and comes back as it was', async () => {
    const lead = await newLead({ first_name: 'Trashy' })
    expect((await key.delete(`/api/crm/leads/${lead.id}`)).status).toBe(204)
    const read = await key.get(`/api/crm/leads/${lead.id}`)
    expect([read.status, read.body.code]).toEqual([404, 'in_trash'])
    expect((await key.get('/api/crm/leads?q=Trashy')).body.data).toEqual([])
    expect((await key.get('/api/crm/leads?q=Trashy&trashed=true')).body.data).toHaveLength(1)
    const back = await key.post(`/api/crm/leads/${lead.id}/restore`)
    expect(back.body).toMatchObject({ first_name: 'Trashy', deleted_at: null })
  })
})

describe('changing many', () => {
  test('up to 500 leads change together', async () => {
    const leads = [await newLead(), await newLead(), await newLead()]
    const reply = await key.post('/api/crm/leads/bulk', {
      ids: leads.map(lead => lead.id),
      set: { status: 'WORKING' },
    })
    expect(reply.body.changed).toBe(3)
    expect(reply.body.data.every((lead: { status: string }) => lead.status === 'WORKING')).toBe(true)
    const again = await key.post('/api/crm/leads/bulk', {
      ids: leads.map(lead => lead.id),
      set: { status: 'WORKING' },
    })
    expect(again.body.changed).toBe(0)
  })

  test('one id that is absent, and none changes', async () => {
    const lead = await newLead()
    const reply = await key.post('/api/crm/leads/bulk', {
      ids: [lead.id, 'f'.repeat(24)],
      set: { status: 'WORKING' },
    })
    expect(reply.status).toBe(404)
    expect((await key.get(`/api/crm/leads/${lead.id}`)).body.status).toBe('NEW')
  })

  test('501 ids are one too many, and set and trashed exclude each other', async () => {
    const ids = Array.from({ length: 501 }, (_, n) => n.toString(16).padStart(24, '0'))
    expect((await key.post('/api/crm/leads/bulk', { ids, trashed: true })).status).toBe(422)
    expect(
      (await key.post('/api/crm/leads/bulk', { ids: [ids[0]], trashed: true, set: { title: 'x' } })).status,
    ).toBe(422)
    expect((await key.post('/api/crm/leads/bulk', { ids: [ids[0]] })).status).toBe(422)
  })

  test('each in another way and by another doer, in the order given; one that is wrong holds up none', async () => {
    const [grace, alan] = [await newLead(), await newLead({ first_name: 'Alan' })]
    const trashed = await newLead()
    await key.delete(`/api/crm/leads/${trashed.id}`)
    const by = (name: string, ctx: Context) => ctx.as({ kind: 'workflow', id: null, name })
    const answers = await ada.ctx.transaction(ctx =>
      changeLeads(ctx, [
        { ctx: by('One', ctx), id: grace.id, change: { title: 'Admiral', utm: { source: 'a' } } },
        { ctx: by('Two', ctx), id: alan.id, change: { pipeline_stage: 'Nowhere' } },
        { ctx: by('Two', ctx), id: trashed.id, change: { title: 'Gone' } },
        { ctx: by('Two', ctx), id: newId(), change: { title: 'Nobody' } },
        { ctx: by('Two', ctx), id: grace.id, change: { title: 'Rear admiral', pipeline_stage: 'Won' } },
        { ctx: by('Two', ctx), id: alan.id, change: { owner_id: ada.user_id } },
        { ctx: by('Two', ctx), id: alan.id, change: { owner_id: newId() } },
        { ctx: by('Two', ctx), id: alan.id, change: { first_name: 'Alan' } },
      ]),
    )
    expect(answers.map(answer => (answer instanceof Problem ? answer.message : answer.title))).toEqual([
      'Admiral',
      expect.stringContaining('must be one of'),
      expect.stringContaining('in the trash'),
      'No such lead.',
      'Rear admiral',
      null,
      'owner_id: is not a member of this team',
      null,
    ])
    const read = async (id: string) => (await key.get(`/api/crm/leads/${id}`)).body
    expect(answers[4]).toEqual(await read(grace.id))
    expect(answers[5]).toEqual(await read(alan.id))
    expect(await read(grace.id)).toMatchObject({ utm: { source: 'a' }, pipeline_stage: 'Won' })
    const { data } = (await key.get(`/api/crm/leads/${grace.id}/timeline`)).body
    const told = data.filter(({ type }: { type: string }) => type === 'lead.changed')
    expect(told.map(({ cause }: { cause: { name: string } }) => cause.name)).toEqual(['Two', 'One'])
  })

  test('trash and restore many', async () => {
    const ids = [(await newLead()).id, (await newLead()).id]
    expect((await key.post('/api/crm/leads/bulk', { ids, trashed: true })).body.changed).toBe(2)
    expect((await key.get(`/api/crm/leads/${ids[0]}`)).status).toBe(404)
    expect((await key.post('/api/crm/leads/bulk', { ids, trashed: false })).body.changed).toBe(2)
    expect((await key.get(`/api/crm/leads/${ids[0]}`)).status).toBe(200)
  })
})

describe("the team's own pipeline and fields", () => {
  test('custom fields are checked by their kind, merged on change, and removed by null', async () => {
    const { browser } = ada
    await browser.patch('/api/crm/leads/settings', {
      custom_fields: [
        { key: 'seats', label: 'Seats', kind: 'number' },
        { key: 'segment', label: 'Segment', kind: 'choice', options: ['SMB', 'Enterprise'] },
        { key: 'renewal', label: 'Renewal', kind: 'date' },
        { key: 'nda', label: 'NDA', kind: 'checkbox' },
      ],
    })
    const wrong = await key.post('/api/crm/leads', {
      first_name: 'C',
      custom: { seats: 'many', segment: 'Tiny', renewal: '2026-02-30', nda: 'yes', hat: 1 },
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors.map((fault: { path: string }) => fault.path)).toEqual([
      'custom.seats',
      'custom.segment',
      'custom.renewal',
      'custom.nda',
      'custom.hat',
    ])
    const lead = await newLead({
      first_name: 'C',
      custom: { seats: 12, segment: 'SMB', renewal: '2028-02-29', nda: true },
    })
    const changed = await key.patch(`/api/crm/leads/${lead.id}`, { custom: { seats: 40, nda: null } })
    expect(changed.body.custom).toEqual({ seats: 40, segment: 'SMB', renewal: '2028-02-29' })
  })

  test('a stage with leads in it cannot be removed, an empty one can', async () => {
    const grace = await app.person()
    const settings = await grace.browser.get('/api/crm/leads/settings')
    await grace.browser.post('/api/crm/leads', { first_name: 'In', pipeline_stage: 'Won' })
    const without = (stage: string) => ({
      pipeline_stages: settings.body.pipeline_stages.filter((name: string) => name !== stage),
    })
    const refused = await grace.browser.patch('/api/crm/leads/settings', without('Won'))
    expect([refused.status, refused.body.code]).toEqual([409, 'stage_in_use'])
    const done = await grace.browser.patch('/api/crm/leads/settings', without('Engage_AI'))
    expect(done.body.pipeline_stages).not.toContain('Engage_AI')
    const lead = await grace.browser.post('/api/crm/leads', { first_name: 'X', pipeline_stage: 'Engage_AI' })
    expect(lead.status).toBe(422)
  })

  test('a lead that comes back to a stage that is gone stands in the first one, and says so', async () => {
    const grace = await app.person()
    const { body } = await grace.browser.post('/api/crm/leads', { first_name: 'Back', pipeline_stage: 'Won' })
    await grace.browser.delete(`/api/crm/leads/${body.id}`)
    await grace.browser.patch('/api/crm/leads/settings', { pipeline_stages: ['Fresh', 'Done'] })
    expect((await grace.browser.post(`/api/crm/leads/${body.id}/restore`)).body.pipeline_stage).toBe('Fresh')
    const timeline = await grace.browser.get(`/api/crm/leads/${body.id}/timeline?type=lead.changed`)
    expect(timeline.body.data[0].data).toEqual({
      before: { pipeline_stage: 'Won' },
      after: { pipeline_stage: 'Fresh' },
    })
  })
})

describe('listing', () => {
  let team: Client
  beforeAll(async () => {
    const person = await app.person()
    team = await person.key()
    const people = [
      ['Ada', 'Lovelace', 'Analytical Engines', 'Won'],
      ['Barbara', 'Liskov', 'MIT', 'New'],
      ['Charles', 'Babbage', 'Analytical Engines', 'Lost'],
      ['Donald', 'Knuth', 'Stanford', 'New'],
      ['Edsger', 'Dijkstra', 'Burroughs', 'Contacted'],
    ]
    for (const [first_name, last_name, company, pipeline_stage] of people) {
      clock.advance(1_000)
      const email = `${first_name}.${last_name}@${company!.replace(' ', '')}.example`
      await team.post('/api/crm/leads', { first_name, last_name, company, pipeline_stage, email })
    }
  })
  const names = (body: { data: { first_name: string }[] }) => body.data.map(lead => lead.first_name)

  test('newest first, unless told', async () => {
    expect(names((await team.get('/api/crm/leads')).body)).toEqual([
      'Edsger',
      'Donald',
      'Charles',
      'Barbara',
      'Ada',
    ])
    expect(names((await team.get('/api/crm/leads?sort=last_name')).body)).toEqual([
      'Charles',
      'Edsger',
      'Donald',
      'Barbara',
      'Ada',
    ])
    expect(names((await team.get('/api/crm/leads?sort=-company')).body)).toEqual([
      'Donald',
      'Barbara',
      'Edsger',
      'Charles',
      'Ada',
    ])
  })

  test('filters narrow, several values of one field widen', async () => {
    expect(names((await team.get('/api/crm/leads?pipeline_stage=New')).body)).toEqual(['Donald', 'Barbara'])
    expect(names((await team.get('/api/crm/leads?pipeline_stage=New&pipeline_stage=Won')).body)).toEqual([
      'Donald',
      'Barbara',
      'Ada',
    ])
    expect(
      names((await team.get('/api/crm/leads?company=analytical%20engines&pipeline_stage=Won')).body),
    ).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?owner_id=none')).body)).toHaveLength(5)
    expect(
      names((await team.get('/api/crm/leads?email=ADA.lovelace@analyticalengines.example')).body),
    ).toEqual(['Ada'])
  })

  test('every sort pages through all rows once, forwards and backwards', async () => {
    for (const sort of [
      'created_at',
      '-created_at',
      'updated_at',
      '-last_activity_at',
      'last_name',
      '-last_name',
      'company',
      '-email',
    ]) {
      const seen: string[] = []
      let path: string | null = `/api/crm/leads?limit=2&sort=${sort}`
      while (path) {
        const reply: {
          body: { data: { first_name: string }[]; next_cursor: string | null }
          headers: Headers
        } = await team.get(path)
        seen.push(...names(reply.body))
        path = /<(.*)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1] ?? null
      }
      expect(seen.toSorted(), sort).toEqual(['Ada', 'Barbara', 'Charles', 'Donald', 'Edsger'])
    }
  })

  test('search finds parts of names, addresses and companies, all words together, and forgives a typo', async () => {
    expect(names((await team.get('/api/crm/leads?q=lovel')).body)).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?q=analytical%20bab')).body)).toEqual(['Charles'])
    expect(names((await team.get('/api/crm/leads?q=stanford.example')).body)).toEqual(['Donald'])
    expect(names((await team.get('/api/crm/leads?q=ed')).body)).toEqual(['Edsger'])
    expect(names((await team.get('/api/crm/leads?q=Lovlace')).body)).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?q=dijstra')).body)).toEqual(['Edsger'])
    expect(names((await team.get('/api/crm/leads?q=adda%20lovelace')).body)).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?q=ada%20lovlace')).body)).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?q=ada%20lovlace%20analytical')).body)).toEqual(['Ada'])
    expect(names((await team.get('/api/crm/leads?q=100%25')).body)).toEqual([])
    expect(names((await team.get('/api/crm/leads?q=qqqqqq')).body)).toEqual([])
    expect(names((await team.get('/api/crm/leads?q=lovelace%20%26%20ada')).body)).toEqual(['Ada'])
    for (const signs of ['@', '.', '((((', '%25%25', '%26'])
      expect([signs, names((await team.get(`/api/crm/leads?q=${signs}`)).body)]).toEqual([signs, []])
  })

  test('the outline counts, and its cursors lead to where each block begins', async () => {
    const many = await app.person()
    const client = await many.key()
    await app.database.query(
      `insert into leads (team_id, id, first_name, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
       select $1, lpad(to_hex(i), 24, '0'), 'Lead ' || i, 'NEW', 'NONE', 'New', '{}', '{}', now() + i * interval '1 second', now() from generate_series(1, 250) as i`,
      [many.team_id],
    )
    await recount(many.ctx)
    const outline = await client.get('/api/crm/leads/outline?sort=created_at')
    expect(outline.body).toMatchObject({ count: 250, count_is_capped: false, every: 100 })
    expect(outline.body.cursors).toHaveLength(3)
    const third = await client.get(
      `/api/crm/leads?limit=100&sort=created_at&cursor=${outline.body.cursors[2]}`,
    )
    expect(names(third.body)).toEqual(Array.from({ length: 50 }, (_, n) => `Lead ${n + 201}`))
    expect((await client.get('/api/crm/leads/outline?q=nobody')).body).toMatchObject({
      count: 0,
      cursors: [null],
    })
  })
})
