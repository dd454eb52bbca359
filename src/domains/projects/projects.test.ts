import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { PROJECT_TASKS_MAX } from './values.ts'

let app: TestApp
let ada: Person
let key: Client

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  key = await ada.key()
})
afterAll(() => app.close())

const made = async (path: string, body: object) => {
  const reply = await key.post(path, body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}
const newProject = (fields: object = {}) => made('/api/crm/projects', { name: 'Launch', ...fields })
const newTask = (fields: object) => made('/api/crm/tasks', { title: 'Call', ...fields })
const board = async (id: string) => (await key.get(`/api/crm/projects/${id}/board`)).body
const titles = async (id: string, column: string) =>
  (await board(id)).tasks.filter((task: any) => task.column === column).map((task: any) => task.title)

describe('a project from a won deal', () => {
  const won = async () => {
    const account = await made('/api/crm/accounts', { name: 'Acme' })
    return made('/api/crm/opportunities', {
      name: 'Ten engines',
      account_id: account.id,
      stage: 'closed_won',
    })
  }

  test('has its name and account from the deal, and starts with three columns', async () => {
    const deal = await won()
    expect(await made('/api/crm/projects', { opportunity_id: deal.id })).toMatchObject({
      name: 'Ten engines',
      account_id: deal.account_id,
      opportunity_id: deal.id,
      status: 'ACTIVE',
      columns: [
        { key: 'todo', name: 'To do', status: 'TODO' },
        { key: 'doing', name: 'Doing', status: 'DOING' },
        { key: 'done', name: 'Done', status: 'DONE' },
      ],
    })
  })

  test('is made once, however often one clicks, and again once it is in the trash', async () => {
    const deal = await won()
    const clicks = await Promise.all(
      Array.from({ length: 10 }, () => key.post('/api/crm/projects', { opportunity_id: deal.id })),
    )
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
    expect(clicks.find(({ status }) => status === 409)!.body.code).toBe('project_exists')
    const first = clicks.find(({ status }) => status === 201)!.body
    await key.delete(`/api/crm/projects/${first.id}`)
    await made('/api/crm/projects', { opportunity_id: deal.id })
    // The first one comes back without the deal: that has another by now.
    expect((await key.post(`/api/crm/projects/${first.id}/restore`)).body).toMatchObject({
      opportunity_id: null,
    })
  })

  test('needs a deal that is won and of the team, and a name where there is no deal', async () => {
    const open = await made('/api/crm/opportunities', { name: 'Not yet' })
    const refused = await key.post('/api/crm/projects', { opportunity_id: open.id })
    expect(refused.body.errors).toEqual([{ path: 'opportunity_id', message: 'is not won yet' }])
    const eve = await app.person()
    const theirs = (await eve.browser.post('/api/crm/opportunities', { name: 'E', stage: 'closed_won' })).body
    expect((await key.post('/api/crm/projects', { opportunity_id: theirs.id })).status).toBe(422)
    expect((await key.post('/api/crm/projects', {})).body.errors).toEqual([
      { path: 'name', message: 'is required' },
    ])
  })
})

describe('a board', () => {
  test('a card goes exactly where it is put, and its status follows its column', async () => {
    const project = await newProject()
    const [a, b, c] = [
      await newTask({ title: 'A', project_id: project.id }),
      await newTask({ title: 'B', project_id: project.id }),
      await newTask({ title: 'C', project_id: project.id }),
    ]
    const move = (id: string, body: object) => key.post(`/api/crm/tasks/${id}/move`, body)
    await move(c.id, { column: 'todo', before: a.id })
    expect(await titles(project.id, 'todo')).toEqual(['C', 'A', 'B'])
    await move(a.id, { column: 'todo' })
    expect(await titles(project.id, 'todo')).toEqual(['C', 'B', 'A'])
    const done = await move(b.id, { column: 'done', before: null })
    expect(done.body).toMatchObject({ status: 'DONE', column: 'done', done_at: expect.any(String) })
    const doing = await move(b.id, { column: 'doing' })
    expect(doing.body).toMatchObject({ status: 'DOING', done_at: null })
    // The neighbour went elsewhere meanwhile: the end serves.
    await move(c.id, { column: 'todo', before: b.id })
    expect(await titles(project.id, 'todo')).toEqual(['A', 'C'])
    const nowhere = await move(a.id, { column: 'nowhere' })
    expect(nowhere.body.errors).toEqual([{ path: 'column', message: 'must be one of todo, doing, done' }])
  })

  test('a change of the status moves the card to the first column for it', async () => {
    const project = await newProject()
    const task = await newTask({ project_id: project.id })
    const change = async (body: object) => (await key.patch(`/api/crm/tasks/${task.id}`, body)).body
    expect(await change({ status: 'DONE' })).toMatchObject({ column: 'done', status: 'DONE' })
    expect(await change({ column: 'doing' })).toMatchObject({
      column: 'doing',
      status: 'DOING',
      done_at: null,
    })
    expect(await change({ project_id: null })).toMatchObject({
      project_id: null,
      column: null,
      position: null,
    })
    expect((await key.patch(`/api/crm/tasks/${task.id}`, { column: 'todo' })).body.errors).toEqual([
      { path: 'column', message: 'needs a project' },
    ])
    expect((await key.post(`/api/crm/tasks/${task.id}/move`, { column: 'todo' })).body.code).toBe(
      'not_on_a_board',
    )
  })

  test('many people moving cards at once neither lose nor double one, and all see the same order', async () => {
    const project = await newProject()
    const cards: any[] = []
    for (let n = 0; n < 12; n++) cards.push(await newTask({ title: `T${n}`, project_id: project.id }))
    const columns = ['todo', 'doing', 'done']
    const pick = <T>(list: T[], n: number) => list[n % list.length]!
    const people = [ada.browser, key, await ada.key(['projects:write']), await ada.key(['projects:write'])]
    const replies = await Promise.all(
      people.map(async (person, p) => {
        const statuses: number[] = []
        for (let n = 0; n < 25; n++) {
          const card = pick(cards, n * 7 + p * 5)
          const before = pick([...cards, null], n * 11 + p * 3)?.id ?? null
          const body = { column: pick(columns, n + p), before: before === card.id ? null : before }
          statuses.push((await person.post(`/api/crm/tasks/${card.id}/move`, body)).status)
        }
        return statuses
      }),
    )
    expect([...new Set(replies.flat())]).toEqual([200])
    const { tasks } = await board(project.id)
    expect(tasks.map(({ id }: any) => id).toSorted()).toEqual(cards.map(({ id }) => id).toSorted())
    const places = tasks.map(({ column, position }: any) => `${column} ${position}`)
    expect(new Set(places).size).toBe(12)
    for (const column of columns) {
      const positions = tasks.filter((task: any) => task.column === column).map((task: any) => task.position)
      expect(positions).toEqual(positions.toSorted((a: string, b: string) => (a < b ? -1 : 1)))
    }
  })

  test('the list tells how many tasks there are, and how many of them are done', async () => {
    const project = await newProject()
    for (const status of ['TODO', 'DONE', 'DONE']) await newTask({ project_id: project.id, status })
    const gone = await newTask({ project_id: project.id, status: 'DONE' })
    await key.delete(`/api/crm/tasks/${gone.id}`)
    const { data } = (await key.get('/api/crm/projects')).body
    expect(data.find(({ id }: { id: string }) => id === project.id).tasks).toEqual({ total: 3, done: 2 })
    const empty = await newProject()
    const [newest] = (await key.get('/api/crm/projects')).body.data
    expect(newest).toMatchObject({ id: empty.id, tasks: { total: 0, done: 0 } })
  })

  test('a column goes only when it is empty, and a renamed one keeps its cards', async () => {
    const project = await newProject()
    await newTask({ project_id: project.id, status: 'DOING' })
    const path = `/api/crm/projects/${project.id}`
    const [todo, doing, done] = project.columns
    const gone = await key.patch(path, { columns: [todo, done] })
    expect(gone).toMatchObject({
      status: 409,
      body: { code: 'column_in_use', detail: expect.stringContaining('Doing (1)') },
    })
    const renamed = await key.patch(path, { columns: [todo, { ...doing, name: 'In hand' }] })
    expect(renamed.status).toBe(200)
    expect(await titles(project.id, 'doing')).toEqual(['Call'])
    const twice = await key.patch(path, { columns: [todo, todo] })
    expect(twice.body.errors).toEqual([{ path: 'columns[1].key', message: 'is a duplicate' }])
  })

  test('a column that means something else now takes its tasks along', async () => {
    const project = await newProject()
    const [todo, doing, done] = project.columns
    const task = await newTask({ project_id: project.id })
    expect(task).toMatchObject({ column: todo.key, status: 'TODO', done_at: null })
    const other = await newTask({ project_id: project.id, status: 'DOING' })
    const columns = [{ ...todo, status: 'DONE' }, doing, done]
    expect(await key.patch(`/api/crm/projects/${project.id}`, { columns })).toMatchObject({ status: 200 })
    const read = async ({ id }: { id: string }) => (await key.get(`/api/crm/tasks/${id}`)).body
    expect(await read(task)).toMatchObject({
      column: todo.key,
      status: 'DONE',
      done_at: expect.any(String),
      position: task.position,
    })
    expect(await read(other)).toEqual(other)
  })

  test('a project goes to the trash with its tasks and comes back with them, and not with those that were there before', async () => {
    const project = await newProject()
    await newTask({ title: 'Stays', project_id: project.id })
    const earlier = await newTask({ title: 'Thrown away before', project_id: project.id })
    await key.delete(`/api/crm/tasks/${earlier.id}`)
    await key.delete(`/api/crm/projects/${project.id}`)
    expect((await key.get(`/api/crm/tasks?project_id=${project.id}`)).body.data).toEqual([])
    expect((await key.get(`/api/crm/projects/${project.id}/board`)).body.code).toBe('in_trash')
    await key.post(`/api/crm/projects/${project.id}/restore`)
    expect(await titles(project.id, 'todo')).toEqual(['Stays'])
    // A task whose project is in the trash comes back on its own.
    await key.delete(`/api/crm/projects/${project.id}`)
    const alone = await key.post(`/api/crm/tasks/${earlier.id}/restore`)
    expect(alone.body).toMatchObject({ project_id: null, column: null, deleted_at: null })
  })

  test(`holds ${PROJECT_TASKS_MAX} tasks, and says so to the next`, async () => {
    const project = await newProject()
    await app.database.query(
      `insert into tasks (team_id, id, title, project_id, "column", position, status, created_at, updated_at)
       select $1, lpad(to_hex(n), 24, '0'), 'T', $2, 'todo', 'a' || n, 'TODO', now(), now() from generate_series(1, $3::int) n`,
      [ada.team_id, project.id, PROJECT_TASKS_MAX - 1],
    )
    await newTask({ title: 'The last', project_id: project.id, status: 'DONE' })
    const one = await key.post('/api/crm/tasks', { title: 'One too many', project_id: project.id })
    expect(one).toMatchObject({ status: 409, body: { code: 'project_full' } })
    expect((await board(project.id)).tasks).toHaveLength(PROJECT_TASKS_MAX)
  })
})
