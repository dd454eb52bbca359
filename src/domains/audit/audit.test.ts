import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Reply } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { FakeClock } from '#platform/clock.ts'

const clock = new FakeClock('2026-03-02T09:00:00.000Z')
let app: TestApp
let ada: Person
const AUDIT = '/api/team/audit'

beforeAll(async () => {
  app = await startApp({ role: 'api', clock })
  ada = await app.person('ada@example.test')
  const key = await ada.key(['leads:write', 'leads:read'])
  const { body: lead } = await ada.browser.post('/api/crm/leads', {
    first_name: '=cmd()',
    company: 'Initech',
  })
  clock.advance(60_000)
  await key.patch(`/api/crm/leads/${lead.id}`, { company: 'Initrode' })
  clock.advance(60_000)
  await ada.browser.patch('/api/crm/leads/settings', { pipeline_stages: ['New', 'Won', 'Lost'] })
})
afterAll(() => app.close())

const typesAt = async (query: string) =>
  (await ada.browser.get(AUDIT + query)).body.data.map((entry: { type: string }) => entry.type)

describe('the audit log', () => {
  test('tells who did what, from where, before and after, newest first', async () => {
    const { body } = await ada.browser.get(AUDIT)
    // An export, which another test makes, is in the log itself.
    const [settings, changed, created] = body.data.filter(
      ({ type }: { type: string }) => type !== 'export.made',
    )
    expect(settings.type).toMatch(/settings/)
    expect(changed).toMatchObject({
      type: 'lead.changed',
      actor: { kind: 'key', name: 'Test key' },
      ip: '127.0.0.1',
      request_id: expect.any(String),
    })
    expect(JSON.stringify(changed.data)).toContain('Initech')
    expect(JSON.stringify(changed.data)).toContain('Initrode')
    expect(created).toMatchObject({ type: 'lead.created', actor: { kind: 'person', id: ada.user_id } })
  })

  test('is filtered by what happened, who did it and when', async () => {
    expect(await typesAt('?type=lead.changed')).toEqual(['lead.changed'])
    expect(await typesAt('?type=lead.changed&type=lead.created')).toEqual(['lead.changed', 'lead.created'])
    expect(await typesAt('?actor_kind=key')).toEqual(['lead.changed'])
    expect(await typesAt(`?actor_id=${ada.user_id}&subject_kind=lead`)).toEqual(['lead.created'])
    const at = (minutes: number) => new Date(Date.parse('2026-03-02T09:00:00.000Z') + minutes * 60_000)
    expect(await typesAt(`?from=${at(1).toISOString()}&until=${at(2).toISOString()}`)).toEqual([
      'lead.changed',
    ])
    expect(await typesAt(`?from=${at(3).toISOString()}`)).toEqual([])
    expect((await typesAt(`?until=${at(0).toISOString()}`)).length).toBe(0)
  })

  test('goes on page by page, and every entry comes once', async () => {
    const all = (await ada.browser.get(AUDIT)).body.data
    const seen: string[] = []
    for (let path: string | undefined = `${AUDIT}?limit=2`; path;) {
      const reply: Reply = await ada.browser.get(path)
      seen.push(...reply.body.data.map((entry: { id: string }) => entry.id))
      path = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(all.map((entry: { id: string }) => entry.id))
  })

  test('is exported as CSV that no spreadsheet runs', async () => {
    const reply = await ada.browser.get(`${AUDIT}/export?subject_kind=lead`)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-2026-03-02\.csv"$/)
    const [head, ...lines] = reply.text.trimEnd().split('\r\n')
    expect(head).toBe('at,type,actor_kind,actor_id,actor_name,subject_kind,subject_id,ip,request_id,data')
    expect(lines.map(line => line.split(',')[1])).toEqual(['lead.changed', 'lead.created'])
  })

  test('is for administrators, and of one team', async () => {
    const member = await colleagueOf(app, ada, 'MEMBER')
    expect((await member.browser.get(AUDIT)).status).toBe(403)
    expect((await member.browser.get(`${AUDIT}/export`)).status).toBe(403)
    const other = await app.person()
    expect((await other.browser.get(AUDIT)).text).not.toContain('Initech')
  })

  test('cannot be rewritten: not even by the application itself', async () => {
    for (const statement of ["update events set type = 'x'", 'delete from events']) {
      const flush = ada.ctx.runtime.pool.flush([{ text: statement, values: [] }])
      await expect(flush).rejects.toThrow(/permission denied/)
    }
  })
})
