import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Draft as Body, WorkflowInFull } from '#domains/workflows/contract.ts'
import { ApiProblem } from '../problem.ts'
import { QUIET_MS } from '../ui/draft/draft.ts'
import { createWorkflowDraft } from './draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const mail = { type: 'action', action: 'send_email' }
const workflow = {
  id: 'w',
  name: 'Calls',
  trigger: 'lead.created',
  filters: [],
  once_per_lead: false,
  nodes: [],
  status: 'ACTIVE',
  version: 1,
  has_draft: false,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
  deleted_at: null,
  draft: null,
  problems: [],
  warnings: [],
} satisfies WorkflowInFull

/** A server that keeps what it is sent, and refuses what builds on something older. */
function fakeServer() {
  let now: WorkflowInFull = workflow
  let minute = 0
  const saves: Body[] = []
  const write = (draft: Body) =>
    (now = { ...now, draft, has_draft: true, updated_at: `2026-03-01T09:0${++minute}:00.000Z` })
  return {
    saves,
    write,
    down: false,
    read: async () => now,
    async save(body: Body, ifMatch: string) {
      if (this.down) throw new ApiProblem({ status: 0, code: 'unreachable', title: 'Unreachable' })
      if (ifMatch !== now.updated_at)
        throw new ApiProblem({ status: 412, code: 'changed', title: 'Changed meanwhile' })
      saves.push(body)
      return write(body)
    },
  }
}

function start() {
  const server = fakeServer()
  const draft = createWorkflowDraft(workflow, {
    save: (body, ifMatch) => server.save(body, ifMatch),
    read: server.read,
  })
  const rename = (name: string) => draft.edit(content => ({ ...content, name }), 'name')
  return { server, draft, rename, saving: () => draft.state.get().saving }
}

test('what is typed is saved once, a moment after the last key', async () => {
  const { server, rename, saving } = start()
  for (const name of ['Ca', 'Cal', 'Call']) rename(name)
  expect(saving()).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(QUIET_MS)
  expect(saving()).toBe('saved')
  expect(server.saves.map(({ name }) => name)).toEqual(['Call'])
})

test('what could not be saved is kept, and goes with the next try', async () => {
  const { server, draft, rename, saving } = start()
  server.down = true
  rename('Calls again')
  expect(await draft.save()).toBe(false)
  expect(saving()).toBe('failed')
  expect(draft.state.get().history.now.name).toBe('Calls again')
  server.down = false
  expect(await draft.save()).toBe(true)
  expect(server.saves.at(-1)?.name).toBe('Calls again')
})

test('with somebody else’s edit between, one chooses: theirs, with mine one undo away, or mine', async () => {
  const { server, draft, rename, saving } = start()
  const theirs = { name: 'Theirs', trigger: 'lead.created', filters: [], once_per_lead: false, nodes: [mail] }
  server.write(theirs)
  rename('Mine')
  expect(await draft.save()).toBe(false)
  expect(saving()).toBe('conflict')
  rename('Mine, later')
  expect(saving()).toBe('conflict')
  expect(server.saves).toEqual([])
  await draft.takeTheirs()
  expect(draft.state.get().history.now.nodes).toEqual([mail])
  draft.undo()
  expect(draft.state.get().history.now.name).toBe('Mine, later')
  server.write({ ...theirs, name: 'Theirs again' })
  await vi.advanceTimersByTimeAsync(QUIET_MS)
  expect(saving()).toBe('conflict')
  expect(await draft.keepMine()).toBe(true)
  expect(server.saves.at(-1)?.name).toBe('Mine, later')
})

test('somebody who pauses it is in nobody’s way', async () => {
  const { server, draft, rename } = start()
  const paused = { ...workflow, status: 'PAUSED' as const, updated_at: '2026-03-01T09:30:00.000Z' }
  server.read = async () => paused
  rename('Mine')
  draft.seen(paused)
  expect(draft.state.get().saving).toBe('unsaved')
})

test('their edit is shown at once where nothing of mine is unsaved', () => {
  const { draft } = start()
  draft.seen({
    ...workflow,
    draft: { name: 'Theirs', trigger: 'lead.created', filters: [], once_per_lead: true, nodes: [] },
    updated_at: '2026-03-01T10:00:00.000Z',
  })
  expect(draft.state.get().history.now).toMatchObject({ name: 'Theirs', once_per_lead: true })
})
