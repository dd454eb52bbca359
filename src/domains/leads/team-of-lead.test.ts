import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { createLead, purgeTrash, trashLead } from './service.ts'
import { findTeamOfLead } from './store.ts'

let app: TestApp
let ada: Person
let grace: Person
beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ada = await app.person()
  grace = await app.person()
})
afterAll(() => app.close())

const teamOf = (id: string) => findTeamOfLead(systemContext(app.runtime), id)
const make = ({ ctx }: Person) => createLead(ctx, { first_name: 'Hedy' })

describe('the team of a lead', () => {
  test('is named by the id', async () => {
    for (const person of [ada, grace, ada]) {
      const { id } = await make(person)
      expect(id.slice(8, 12)).toBe(person.team_id.slice(-4))
      expect(await teamOf(id)).toBe(person.team_id)
    }
  })

  test('is found although the id is older, or ends like that of another team', async () => {
    const { id } = await make(grace)
    for (const end of ['0000', ada.team_id.slice(-4)]) {
      const old = id.slice(0, 8) + end + id.slice(12)
      await app.database.query(
        `insert into leads (team_id, id, first_name, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
         values ($1, $2, 'Old', 'NEW', 'NONE', 'New', '{}', '{}', now(), now())`,
        [grace.team_id, old],
      )
      expect(await teamOf(old)).toBe(grace.team_id)
    }
  })

  test('is found for a lead in the trash, and not for one that is gone', async () => {
    const { id } = await make(ada)
    await trashLead(ada.ctx, id)
    expect(await teamOf(id)).toBe(ada.team_id)
    await app.database.query(`update leads set deleted_at = now() - interval '40 days' where id = $1`, [id])
    await purgeTrash(ada.ctx)
    expect(await teamOf(id)).toBeUndefined()
    expect(await teamOf('f'.repeat(24))).toBeUndefined()
    expect(await teamOf('')).toBeUndefined()
  })
})
