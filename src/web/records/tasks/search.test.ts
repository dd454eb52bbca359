import { expect, test } from 'vitest'
import { tasksQuery, tasksSearch } from './search.ts'

const [me, id] = ['a'.repeat(24), 'b'.repeat(24)]

test('only what the API understands of a URL gets through', () => {
  expect(tasksSearch({ assignee_id: 'nobody', project_id: 'anyone', lead_id: 'none', task: {} })).toEqual({})
  expect(tasksSearch({ assignee_id: ['none', id], project_id: 'none', q: 'call', task: id })).toEqual({
    assignee_id: ['none'],
    project_id: ['none'],
    q: 'call',
    task: id,
  })
})

test("by default a person's own tasks are listed", () => {
  expect(tasksQuery({ task: id }, me)).toEqual({ assignee_id: [me] })
  expect(tasksQuery({ assignee_id: ['anyone'], lead_id: [id] }, me)).toEqual({ lead_id: [id] })
  expect(tasksQuery({ assignee_id: ['none'] }, me)).toEqual({ assignee_id: ['none'] })
})
