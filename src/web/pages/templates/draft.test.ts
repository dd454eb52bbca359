import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Template } from '#domains/templates/contract.ts'
import { ApiProblem } from '../../problem.ts'
import { createTemplateDraft } from './draft.ts'

const template: Template = {
  id: '1'.repeat(24),
  name: 'intro',
  subject: 'Hello',
  body: 'Hi',
  format: 'markdown',
  created_at: '2026-05-01T10:00:00.000Z',
  updated_at: '2026-05-01T10:00:00.000Z',
  deleted_at: null,
}

let row: Template
let sent: object[]

beforeEach(() => {
  vi.useFakeTimers()
  row = template
  sent = []
})
afterEach(() => void vi.useRealTimers())

function theirs(fields: Partial<Template>): Template {
  return (row = { ...row, ...fields, updated_at: `${row.updated_at}.` })
}

function start() {
  return createTemplateDraft(template, {
    save: async (change, ifMatch) => {
      if (ifMatch !== row.updated_at) throw new ApiProblem({ status: 412, code: 'moved_on', title: '' })
      sent.push(change)
      return theirs(change)
    },
    read: async () => row,
  })
}

test('only what differs is saved, and only when it is asked for', async () => {
  const draft = start()
  draft.write({ body: 'Ho', subject: '' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  expect(draft.isUnsaved()).toBe(true)
  expect(await draft.save()).toBe(true)
  expect(sent).toEqual([{ body: 'Ho', subject: '' }])
  expect(draft.isUnsaved()).toBe(false)
})

test('the subject of one and the text of the other are no conflict, and both stay', async () => {
  const draft = start()
  draft.write({ body: 'Mine' })
  theirs({ subject: 'Theirs' })
  expect(await draft.save()).toBe(true)
  expect(row).toMatchObject({ subject: 'Theirs', body: 'Mine' })
  expect(draft.state.get().history.now).toMatchObject({ subject: 'Theirs', body: 'Mine' })
})

test('a text and its format belong together: the person decides', async () => {
  const draft = start()
  draft.write({ body: 'Mine' })
  theirs({ format: 'html', name: 'Theirs' })
  expect(await draft.save()).toBe(false)
  expect(draft.state.get().saving).toBe('conflict')
  await draft.keepMine()
  expect(await draft.save()).toBe(true)
  expect(row).toMatchObject({ name: 'Theirs', body: 'Mine', format: 'markdown' })
})

test('an undo takes back what was typed since the last pause', () => {
  const draft = start()
  const body = () => draft.state.get().history.now.body
  for (const text of ['Dear', 'Dear Ada']) draft.write({ body: text })
  vi.advanceTimersByTime(5_000)
  draft.write({ body: 'Dear Ada, welcome' })
  draft.undo()
  expect(body()).toBe('Dear Ada')
  draft.undo()
  expect(body()).toBe('Hi')
})

test('what is not saved is kept for who comes back, unless it was given up', async () => {
  const draft = start()
  draft.write({ body: 'Half a' })
  expect(await draft.leave()).toBe(false)
  draft.giveUp()
  expect(draft.isUnsaved()).toBe(false)
  expect(await draft.leave()).toBe(true)
  expect(sent).toEqual([])
})
