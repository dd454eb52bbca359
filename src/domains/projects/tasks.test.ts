import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { MailUncertain } from '#platform/ports/mail.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { newId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { createTasks } from './tasks.ts'

let app: TestApp
let ada: Person
const clock = new FakeClock()
const HOUR_MS = 3_600_000

beforeAll(async () => {
  app = await startApp({ clock })
  ada = await app.person()
})
afterAll(() => app.close())

const inHours = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString()

async function newTask(fields: object = {}) {
  const { status, body } = await ada.browser.post('/api/crm/tasks', { title: 'Call Grace', ...fields })
  expect(status).toBe(201)
  return body
}
const change = async (id: string, body: object) =>
  (await ada.browser.patch(`/api/crm/tasks/${id}`, body)).body
const told = async (id: string, type: string) =>
  app.database.query<{ data: any }>(
    `select data from events where subject_id = $1 and type = $2 order by id`,
    [id, type],
  )

/** Due jobs have run: whatever was to be told has been told. */
const quiet = () =>
  eventually(async () => {
    const [row] = await app.database.query<{ count: number }>(
      `select count(*)::int as count from jobs where team_id = $1 and state = 'ready' and run_at <= $2`,
      [ada.team_id, new Date(clock.now()).toISOString()],
    )
    expect(row!.count).toBe(0)
  })

describe('overdue', () => {
  test('is told once when the due date passes, and once more for a new date that passes', async () => {
    const task = await newTask({ due_at: inHours(1), assignee_id: ada.user_id })
    clock.advance(HOUR_MS - 1)
    await quiet()
    expect(await told(task.id, 'task.overdue')).toEqual([])
    clock.advance(1)
    await eventually(async () => expect(await told(task.id, 'task.overdue')).toHaveLength(1))
    expect((await told(task.id, 'task.overdue'))[0]!.data).toEqual({
      title: 'Call Grace',
      assignee_id: ada.user_id,
      at: task.due_at,
    })
    expect((await ada.browser.get(`/api/crm/tasks/${task.id}`)).body.overdue_at).toBe(task.due_at)
    // Nothing that happens to it later tells it again.
    await change(task.id, { title: 'Call Grace again' })
    await change(task.id, { status: 'DONE' })
    await change(task.id, { status: 'TODO' })
    await quiet()
    expect(await told(task.id, 'task.overdue')).toHaveLength(1)
    expect(await change(task.id, { due_at: inHours(1) })).toMatchObject({ overdue_at: null })
    clock.advance(HOUR_MS)
    await eventually(async () => expect(await told(task.id, 'task.overdue')).toHaveLength(2))
  })

  test('is not told of a task that is done, in the trash, or was given more time', async () => {
    const [done, trashed, later] = [
      await newTask({ due_at: inHours(1) }),
      await newTask({ due_at: inHours(1) }),
      await newTask({ due_at: inHours(1) }),
    ]
    await change(done.id, { status: 'DONE' })
    await ada.browser.delete(`/api/crm/tasks/${trashed.id}`)
    await change(later.id, { due_at: inHours(2) })
    clock.advance(HOUR_MS)
    await quiet()
    for (const { id } of [done, trashed, later]) expect(await told(id, 'task.overdue')).toEqual([])
    // Taken up again after its date, it is overdue at once.
    await change(done.id, { status: 'DOING' })
    await eventually(async () => expect(await told(done.id, 'task.overdue')).toHaveLength(1))
  })

  test('is told of a task, or of a project’s, that comes back from the trash after its date', async () => {
    const project = (await ada.browser.post('/api/crm/projects', { name: 'Launch' })).body
    const alone = await newTask({ due_at: inHours(1) })
    const within = await newTask({ due_at: inHours(1), project_id: project.id })
    await ada.browser.delete(`/api/crm/tasks/${alone.id}`)
    await ada.browser.delete(`/api/crm/projects/${project.id}`)
    clock.advance(HOUR_MS)
    await quiet()
    for (const { id } of [alone, within]) expect(await told(id, 'task.overdue')).toEqual([])
    await ada.browser.post(`/api/crm/tasks/${alone.id}/restore`)
    await ada.browser.post(`/api/crm/projects/${project.id}/restore`)
    for (const { id } of [alone, within]) {
      await eventually(async () => expect(await told(id, 'task.overdue')).toHaveLength(1))
    }
  })

  test('is told however the date was written', async () => {
    const due = new Date(clock.now() + HOUR_MS)
    const offset = new Date(due.getTime() + 2 * HOUR_MS).toISOString().replace(/\.000Z$/, '+02:00')
    const task = await newTask({ due_at: offset })
    expect(task.due_at).toBe(due.toISOString())
    clock.advance(HOUR_MS)
    await eventually(async () => expect(await told(task.id, 'task.overdue')).toHaveLength(1))
  })

  test('twenty jobs for the same date tell it once', async () => {
    const task = await newTask({ due_at: inHours(1) })
    await app.database.query(
      `insert into jobs (id, kind, team_id, data, run_at) select lpad(n::text, 24, '0'), 'tasks.overdue', $1, $2, $3
       from generate_series(1, 20) n`,
      [ada.team_id, JSON.stringify({ task_id: task.id, due_at: task.due_at }), task.due_at],
    )
    clock.advance(HOUR_MS)
    await eventually(async () => expect(await told(task.id, 'task.overdue')).toHaveLength(1))
    await quiet()
    expect(await told(task.id, 'task.overdue')).toHaveLength(1)
  })
})

describe('a reminder', () => {
  test('reaches whom the task is assigned to, by mail and in the live stream, once', async () => {
    const task = await newTask({ title: 'Ring <Ada>', remind_at: inHours(1), assignee_id: ada.user_id })
    clock.advance(HOUR_MS)
    const mine = () => app.mail.sent.filter(({ subject }) => subject === 'Reminder: Ring <Ada>')
    await eventually(() => expect(mine()).toHaveLength(1))
    expect(mine()[0]!.html).toContain('Ring &lt;Ada&gt;')
    expect(mine()[0]!.text).toContain(`/tasks?task=${task.id}`)
    expect(await told(task.id, 'task.reminded')).toHaveLength(1)
    await quiet()
    expect(mine()).toHaveLength(1)
  })

  test('goes to nobody when the task is done before, or is nobody’s', async () => {
    const sent = app.mail.sent.length
    const done = await newTask({ remind_at: inHours(1), assignee_id: ada.user_id })
    await newTask({ remind_at: inHours(1) })
    await change(done.id, { status: 'DONE' })
    clock.advance(HOUR_MS)
    await quiet()
    expect(app.mail.sent).toHaveLength(sent)
  })

  test('whose mail may be on its way is not sent again', async () => {
    app.mail.faults.push(new MailUncertain('the line broke'))
    const task = await newTask({ title: 'Uncertain', remind_at: inHours(1), assignee_id: ada.user_id })
    clock.advance(HOUR_MS)
    const state = () => app.database.query('select status from mails where about_id = $1', [task.id])
    await eventually(async () => expect(await state()).toEqual([{ status: 'UNKNOWN' }]))
    await quiet()
    expect(app.mail.sent.filter(({ subject }) => subject.includes('Uncertain'))).toEqual([])
  })
})

test('a list has what is due in a time, of whom it is, with those without a date at the end', async () => {
  const eve = await app.person()
  const make = async (fields: object) => (await eve.browser.post('/api/crm/tasks', fields)).body
  await make({ title: 'No date' })
  await make({ title: 'Tomorrow', due_at: inHours(24), assignee_id: eve.user_id })
  await make({ title: 'Today', due_at: inHours(1) })
  const listed = async (query: string) =>
    (await eve.browser.get(`/api/crm/tasks?${query}`)).body.data.map(({ title }: { title: string }) => title)
  expect(await listed('')).toEqual(['Today', 'Tomorrow', 'No date'])
  expect(await listed(`due_before=${inHours(2)}`)).toEqual(['Today'])
  expect(await listed(`assignee_id=${eve.user_id}`)).toEqual(['Tomorrow'])
  expect(await listed('assignee_id=none&sort=-created_at')).toEqual(['Today', 'No date'])
  expect(await listed('q=tom')).toEqual(['Tomorrow'])
})

test('a task of a lead stands on its timeline', async () => {
  const lead = (await ada.browser.post('/api/crm/leads', { first_name: 'Ada' })).body
  await newTask({ lead_id: lead.id })
  const { body } = await ada.browser.get(`/api/crm/leads/${lead.id}/timeline`)
  expect(body.data.map(({ type }: { type: string }) => type)).toContain('task.created')
})

test('many are made at once, each in its place, and one that is wrong holds up none of the others', async () => {
  const { body: project } = await ada.browser.post('/api/crm/projects', { name: 'Launch' })
  const inputs = [
    { title: 'Alone', due_at: inHours(1) },
    { title: 'First', project_id: project.id },
    { title: 'For a stranger', assignee_id: newId() },
    { title: 'Second', project_id: project.id },
    { title: 'Nowhere', project_id: newId() },
    { title: 'Nobody’s column', column: 'todo' },
  ]
  const made = await ada.ctx.transaction(ctx =>
    createTasks(
      ctx,
      inputs.map(input => ({ ctx, input })),
    ),
  )
  expect(made.map(task => (task instanceof Problem ? task.errors![0] : task.title))).toEqual([
    'Alone',
    'First',
    { path: 'assignee_id', message: 'is not a member of this team' },
    'Second',
    { path: 'project_id', message: 'is not a project in this team' },
    { path: 'column', message: 'needs a project' },
  ])
  const board = (await ada.browser.get(`/api/crm/projects/${project.id}/board`)).body.tasks
  expect(board.map(({ title }: { title: string }) => title)).toEqual(['First', 'Second'])
  const { id } = made[0] as { id: string }
  clock.advance(HOUR_MS)
  await eventually(async () => expect(await told(id, 'task.overdue')).toHaveLength(1))
})
