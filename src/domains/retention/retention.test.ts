import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { migrate } from '#platform/database/migrate.ts'
import { dropEmptyPartitions } from '#platform/database/partitions.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { inOrder } from '#test/in-order.ts'
import { hold } from '#test/locks.ts'
import { databaseUrl } from '#test/postgres.ts'
import { expectProblem } from '#test/problem.ts'
import { EVENTS_PER_TEAM_AT_ONCE, removeOld } from './removal.ts'
import { RETENTION_DAYS_MAX, retentionKinds, retentionRules } from './values.ts'

inOrder()

const PATH = '/api/team/retention'
const DAY_MS = 86_400_000
const MIGRATIONS = new URL('../../../migrations/', import.meta.url).pathname

let app: TestApp
let ada: Person
let eve: Person
beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ada = await app.person()
  eve = await app.person()
})
afterAll(() => app.close())

const rows = (text: string, values: unknown[] = []) => app.database.query(text, values)
const tidy = () => removeOld(systemContext(app.runtime))
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

type About = { kind: string; id?: string; lead_id?: string | null }

/** An event of that many days ago, with the id it would have got. */
async function eventOf(
  { team_id }: Person,
  days: number,
  { kind, id = newId(), lead_id = null }: About,
): Promise<string> {
  const at = daysAgo(days)
  const event_id = newId(at.getTime(), team_id)
  await rows(
    `insert into events (team_id, id, type, subject_kind, subject_id, lead_id, actor_kind, data, at)
     values ($1, $2, 'test.old', $3, $4, $5, 'system', '{}', $6)`,
    [team_id, event_id, kind, id, lead_id, at],
  )
  return event_id
}

const oldEvents = async () =>
  (await rows(`select id from events where type = 'test.old' order by id`)).map(({ id }) => id as string)

/** A day later, from the database's point of view: what was checked today is checked again. */
// A shard refuses an instant minus an interval in an UPDATE: it depends on the zone of the session.
const nextDay = () =>
  rows(`update retention_settings set events_checked_at =
    (events_checked_at at time zone 'UTC' - interval '1 day') at time zone 'UTC'`)

describe('the setting', () => {
  test('is what the product does by default, until an admin changes it', async () => {
    const { body } = await ada.browser.get(PATH)
    const defaults = Object.fromEntries(retentionKinds.map(kind => [kind, retentionRules[kind].days]))
    expect(body).toMatchObject(defaults)
    const changed = await ada.browser.patch(PATH, { events: 365, mails: 30 })
    expect(changed.body).toMatchObject({ ...defaults, events: 365, mails: 30 })
    expect((await ada.browser.get(PATH)).body).toEqual(changed.body)
    expect((await eve.browser.get(PATH)).body).toMatchObject(defaults)
    expect((await ada.browser.patch(PATH, { events: null })).body).toMatchObject({ events: null, mails: 30 })
  })

  test('is for admins: a member may neither read nor change it', async () => {
    const member = await colleagueOf(app, ada, 'MEMBER')
    expectProblem(await member.browser.get(PATH), 403)
    expectProblem(await member.browser.patch(PATH, { mails: 30 }), 403)
    const admin = await colleagueOf(app, ada, 'ADMIN')
    expect((await admin.browser.patch(PATH, { mails: 40 })).status).toBe(200)
  })

  test('is in the audit log, before and after', async () => {
    await ada.browser.patch(PATH, { inbound_events: 60 })
    const { body } = await ada.browser.get('/api/team/audit?type=retention.changed')
    expect(body.data[0]).toMatchObject({
      actor: { id: ada.user_id },
      data: { before: { inbound_events: 90 }, after: { inbound_events: 60 } },
    })
    await ada.browser.patch(PATH, { inbound_events: 60 })
    const again = await ada.browser.get('/api/team/audit?type=retention.changed')
    expect(again.body.data).toHaveLength(body.data.length)
  })

  test.for(retentionKinds)('%s has a shortest and a longest time', async kind => {
    const { daysMin, days } = retentionRules[kind]
    for (const fine of [daysMin, RETENTION_DAYS_MAX])
      expect((await eve.browser.patch(PATH, { [kind]: fine })).body).toMatchObject({ [kind]: fine })
    for (const wrong of [daysMin - 1, RETENTION_DAYS_MAX + 1, 1.5])
      expectProblem(await eve.browser.patch(PATH, { [kind]: wrong }), 422)
    const forEver = await eve.browser.patch(PATH, { [kind]: null })
    expect(forEver.status).toBe(days === null ? 200 : 422)
    await rows('delete from retention_settings where team_id = $1', [eve.team_id])
  })

  test('of two who change it at once, the second learns of the first', async () => {
    const { headers } = await ada.browser.get(PATH)
    const ifMatch = { 'if-match': headers.get('etag')! }
    expect((await ada.browser.patch(PATH, { mails: 31 }, ifMatch)).status).toBe(200)
    expectProblem(await ada.browser.patch(PATH, { mails: 32 }, ifMatch), 412)
  })
})

describe('old events', () => {
  test('stay for ever, unless the team chose otherwise', async () => {
    await eventOf(eve, 3_000, { kind: 'key' })
    expect(await tidy()).toMatchObject({ old_events: 0 })
    expect(await oldEvents()).toHaveLength(1)
    await rows(`delete from events where type = 'test.old'`)
  })

  test('go once they are over age, and those of other teams stay', async () => {
    await ada.browser.patch(PATH, { events: 100 })
    const [, kept] = [await eventOf(ada, 101, { kind: 'key' }), await eventOf(ada, 99, { kind: 'key' })]
    const others = await eventOf(eve, 101, { kind: 'key' })
    expect(await tidy()).toMatchObject({ old_events: 1 })
    expect(await oldEvents()).toEqual([others, kept])
    await rows(`delete from events where type = 'test.old'`)
  })

  test('of a record that exists stay: its timeline is whole, also while it is in the trash', async () => {
    const { body: lead } = await ada.browser.post('/api/crm/leads', { first_name: 'Grace' })
    const { body: account } = await ada.browser.post('/api/crm/accounts', { name: 'Initech' })
    const kept = [
      await eventOf(ada, 900, { kind: 'lead', id: lead.id }),
      await eventOf(ada, 800, { kind: 'call', lead_id: lead.id }),
      await eventOf(ada, 700, { kind: 'account', id: account.id }),
    ]
    // An ID of another team's record is nobody's here.
    await eventOf(eve, 900, { kind: 'lead', id: lead.id })
    await ada.browser.delete(`/api/crm/leads/${lead.id}`)
    await nextDay()
    expect(await tidy()).toMatchObject({ old_events: 0 })
    expect((await oldEvents()).filter(id => kept.includes(id))).toEqual(kept)
    await rows('delete from leads where id = $1', [lead.id])
    await nextDay()
    expect(await tidy()).toMatchObject({ old_events: 2 })
    expect((await oldEvents()).filter(id => kept.includes(id))).toEqual([kept[2]])
    await rows(`delete from events where type = 'test.old'`)
  })

  test.for([
    'account',
    'agent',
    'call',
    'candidate',
    'enrolment',
    'form',
    'invoice',
    'lead',
    'meeting',
    'message',
    'opportunity',
    'project',
    'sequence',
    'submission',
    'task',
    'template',
    'workflow',
  ])('a %s has a timeline', async kind => {
    expect(await rows('select name from timeline_records() where kind = $1', [kind])).toHaveLength(1)
  })

  test('that a job still waits for stay', async () => {
    const waited = await eventOf(ada, 200, { kind: 'key' })
    await rows(
      `insert into jobs (id, kind, team_id, event_id, run_at) values ($1, 'test.waits', $2, $3, now())`,
      [newId(), ada.team_id, waited],
    )
    await nextDay()
    expect(await tidy()).toMatchObject({ old_events: 0 })
    await rows('delete from jobs where event_id = $1', [waited])
    await nextDay()
    expect(await tidy()).toMatchObject({ old_events: 1 })
  })

  test('are checked block by block to the end, and those that stay not again on the same day', async () => {
    const many = EVENTS_PER_TEAM_AT_ONCE * 2 + 1
    const { body: lead } = await ada.browser.post('/api/crm/leads', { first_name: 'Ada' })
    await rows(
      `insert into events (team_id, id, type, subject_kind, subject_id, actor_kind, data, at)
       select $1, first_id(now() - interval '300 days' + n * interval '1 second'), 'test.old',
         case when n % 3 = 0 then 'lead' else 'key' end, $2, 'system', '{}', now() from generate_series(1, $3::integer) as n`,
      [ada.team_id, lead.id, many],
    )
    await nextDay()
    const stay = Math.floor(many / 3)
    expect(await tidy()).toMatchObject({ old_events: many - stay })
    expect(await oldEvents()).toHaveLength(stay)
    await rows(`update events set subject_kind = 'key' where type = 'test.old'`)
    expect(await tidy()).toMatchObject({ old_events: 0 })
    // A new choice is applied to everything, at once.
    await ada.browser.patch(PATH, { events: 99 })
    expect(await tidy()).toMatchObject({ old_events: stay })
  })

  test('of the last 90 days cannot be removed, whatever the application asks for', async () => {
    await eventOf(ada, 89, { kind: 'key' })
    const set = `update retention_settings set events = 1 where team_id = $1`
    await expect(rows(set, [ada.team_id])).rejects.toThrow(/check constraint/)
    await rows('update retention_settings set events = 90')
    await rows(`select * from remove_old_events(now() + interval '10 years', 100, 100)`)
    expect(await oldEvents()).toHaveLength(1)
    await rows(`delete from events where type = 'test.old'`)
  })
})

describe('everything else', () => {
  const kept = async (table: string) =>
    (await rows(`select team_id from ${table}`)).map(({ team_id }) => team_id as string)

  test('is removed for all teams in one statement, each at its own age', async () => {
    const received = (team_id: string, days: number) =>
      rows(
        `insert into inbound_events (id, endpoint, event_id, type, team_id, body, status, received_at)
         values ($1, 'voice', $1, 'call_ended', $2, '{}', 'processed', $3)`,
        [newId(daysAgo(days).getTime()), team_id, daysAgo(days)],
      )
    await ada.browser.patch(PATH, { inbound_events: 30 })
    for (const team_id of [ada.team_id, eve.team_id])
      for (const days of [29, 31, 89, 91]) await received(team_id, days)
    await rows(`insert into inbound_effects (team_id, inbound_id, reaction, outcome, at)
      select team_id, id, 'test', 'done', now() from inbound_events`)
    const statement = `select remove_expired('inbound_events', 90, now(), 100) as removed`
    expect(await rows(statement)).toEqual([{ removed: 4 }])
    const left = [ada.team_id, eve.team_id, eve.team_id, eve.team_id]
    for (const table of ['inbound_events', 'inbound_effects'])
      expect((await kept(table)).toSorted()).toEqual(left.toSorted())
  })

  test('goes in blocks: a statement removes no more than it was asked to', async () => {
    await rows(
      `insert into model_responses (team_id, id, response_id, status, at)
       select $1, first_id(now() - interval '100 days' + n * interval '1 second'), n::text, 'completed', now()
       from generate_series(1, 25) as n`,
      [eve.team_id],
    )
    const statement = `select remove_expired('model_responses', 90, now(), 10) as removed`
    for (const removed of [10, 10, 5, 0]) expect(await rows(statement)).toEqual([{ removed }])
  })

  test('transcripts and traces stay for ever by default, and leave their call and enrolment when they go', async () => {
    const [call, at] = [newId(daysAgo(40).getTime(), eve.team_id), daysAgo(40)]
    await rows(
      `insert into calls (team_id, id, kind, direction, status, started_at, created_at, updated_at)
       values ($1, $2, 'human', 'outbound', 'ENDED', $3, $3, $3)`,
      [eve.team_id, call, at],
    )
    const line = (days: number) =>
      rows(
        `insert into call_lines (team_id, call_id, id, ref, speaker, text, at) values ($1, $2, $3, $3, 'caller', 'Hello', now())`,
        [eve.team_id, call, newId(daysAgo(days).getTime())],
      )
    await line(40)
    await line(5)
    await tidy()
    expect(await kept('call_lines')).toHaveLength(2)
    // A call that was planned long ago and took place lately.
    await eve.browser.patch(PATH, { call_transcripts: 10 })
    await tidy()
    expect(await kept('call_lines')).toHaveLength(1)
    await eve.browser.patch(PATH, { call_transcripts: 1 })
    await tidy()
    expect(await kept('call_lines')).toEqual([])
    expect(await kept('calls')).toEqual([eve.team_id])
  })

  test('cannot be asked for by another name', async () => {
    await expect(rows(`select remove_expired('leads', 1, now(), 1)`)).rejects.toThrow('nothing is kept')
  })
})

describe('months that are empty', () => {
  const oldMonths = async () =>
    (await rows(`select relname from pg_class where relname = 'call_lines_2020_01'`)).length
  const makeOld = () =>
    rows(`create table partitions.call_lines_2020_01 partition of call_lines
      for values from ('5e0be1000000000000000000') to ('5e34bf800000000000000000')`)

  test('are dropped when they are old, and not before they are empty', async () => {
    // The first part of a new installation covers all months up to now.
    await rows('alter table call_lines detach partition partitions.call_lines_early')
    await makeOld()
    const call = '5e0be1010000000000000000'
    await rows(
      `insert into calls (team_id, id, kind, direction, status, started_at, created_at, updated_at)
       values ($1, $2, 'human', 'outbound', 'ENDED', now(), now(), now())`,
      [eve.team_id, call],
    )
    await rows(
      `insert into call_lines (team_id, call_id, id, ref, speaker, text, at) values ($1, $2, $2, $2, 'caller', 'Hello', now())`,
      [eve.team_id, call],
    )
    const ctx = systemContext(app.runtime)
    expect(await dropEmptyPartitions(ctx)).toBe(0)
    await tidy()
    const reader = await hold(app.database, 'select from call_lines')
    expect(await dropEmptyPartitions(ctx)).toBe(0)
    await reader.letGo()
    expect(await oldMonths()).toBe(1)
    expect(await dropEmptyPartitions(ctx)).toBe(1)
    expect(await oldMonths()).toBe(0)
    // The month of today is empty as well, and stays.
    expect(await dropEmptyPartitions(ctx)).toBe(0)
  })
})

describe('an owner whom row security binds', () => {
  test('removes what is over age of every team, and nothing else', async () => {
    const server = inject('postgresUrl')
    const name = `retention_${process.pid}`
    const admin = await clientOf(server)
    await admin.query(
      `create role ${name} login password 'secret'; grant rapport_app, rapport_search to ${name}`,
    )
    await admin.query(`create database ${name} owner ${name}`)
    onTestFinished(async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.query(`drop role ${name}`)
      await admin.end()
    })
    const url = databaseUrl(server, name).replace(/\/\/[^@]*@/, `//${name}:secret@`)
    await migrate(url, MIGRATIONS)
    const [superuser, owner] = [await clientOf(databaseUrl(server, name)), await clientOf(url)]
    await superuser.query(`insert into teams select lpad(n::text, 24, '0'), 'Team', false, now(), now() from generate_series(1, 2) as n;
      insert into retention_settings (team_id, events, updated_at) select id, 90, now() from teams;
      insert into leads (team_id, id, owner_id, pipeline_stage, status, call_status, utm, custom, created_at, updated_at)
        select id, right(id, 24), null, 'New', 'NEW', 'NONE', '{}', '{}', now(), now() from teams;
      insert into events (team_id, id, type, subject_kind, subject_id, actor_kind, data, at)
        select id, first_id(now() - days * interval '1 day'), 'test.old', kind, id, 'system', '{}', now()
        from teams, (values (100, 'lead'), (101, 'key'), (80, 'key')) as old (days, kind);
      insert into mails (team_id, id, message_id, kind, about_kind, about_id, recipient, subject, text, html, status, created_at)
        select id, first_id(now() - interval '100 days'), '', '', '', '', '', '', '', '', 'SENT', now() - interval '100 days' from teams`)
    expect((await owner.query('select * from events')).rows).toEqual([])
    expect((await owner.query('select * from remove_old_events(now(), 10, 10)')).rows).toMatchObject([
      { teams: 2, removed: 2 },
    ])
    expect((await owner.query(`select remove_expired('mails', 90, now(), 10)::int as n`)).rows).toEqual([
      { n: 2 },
    ])
    expect((await superuser.query('select from events')).rowCount).toBe(4)
    expect((await owner.query('select * from events')).rows).toEqual([])
    await Promise.all([superuser.end(), owner.end()])
  })
})

async function clientOf(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}
