import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemContext, type Context } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { newId } from '#platform/ids.ts'
import { countingRuntime } from '#test/counting.ts'
import { raw } from './tables.ts'
import { teamsTogether } from './teams-together.ts'

let app: TestApp
let people: Person[]

beforeAll(async () => {
  app = await startApp()
  people = await Promise.all([app.person(), app.person(), app.person()])
  for (const { ctx, team_id } of people) await ctx.run(addBulkChange(team_id, 'kept'))
})
afterAll(() => app.close())

function addBulkChange(team_id: string, name: string) {
  return raw(sql`insert into bulk_changes (team_id, id, filter, change, status, total, processed, changed, last_id, until, actor, created_at, updated_at, error)
    values (${team_id}, ${newId()}, '{}', '{}', 'DONE', 0, 0, 0, '', now(), '{}', now(), now(), ${name})`)
}

const namesOf = async (team_id: string) =>
  (
    await app.database.query<{ error: string }>(
      'select error from bulk_changes where team_id = $1 order by error',
      [team_id],
    )
  ).map(({ error }) => error)

function together() {
  const { runtime, counted } = countingRuntime(app.runtime)
  const ctx = systemContext(teamsTogether(runtime))
  return { contexts: people.map(({ team_id }) => ctx.forTeam(team_id)), counted }
}

test('what several teams ask in the same moment is one trip, and each sees its own rows only', async () => {
  const { contexts, counted } = together()
  const seen = await Promise.all(
    contexts.map(ctx => ctx.all(raw<{ team_id: string }>(sql`select team_id from bulk_changes`))),
  )
  expect(seen).toEqual(people.map(({ team_id }) => [{ team_id }]))
  expect(counted.trips).toBe(1)
})

test('a team whose statement fails does not take the others with it', async () => {
  const { contexts } = together()
  const write = (ctx: Context, at: number) =>
    ctx.run(at === 1 ? raw(sql`select 1 / 0`) : addBulkChange(ctx.team_id, 'added'))
  const results = await Promise.allSettled(contexts.map(write))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await Promise.all(people.map(({ team_id }) => namesOf(team_id)))).toEqual([
    ['added', 'kept'],
    ['kept'],
    ['added', 'kept'],
  ])
})

test('a write for another team than its own is refused as ever', async () => {
  const { contexts } = together()
  const [own, other] = [contexts[0]!, people[1]!]
  const results = await Promise.allSettled([
    contexts[1]!.all(raw(sql`select 1`)),
    own.run(addBulkChange(other.team_id, 'smuggled')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await namesOf(other.team_id)).not.toContain('smuggled')
})
