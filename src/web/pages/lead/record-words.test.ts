import { describe, expect, test } from 'vitest'
import { isTold, receivedWords, recordWords } from './record-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: type.split('.')[0]!, id: 'x1' },
  data,
})
const words = (type: string, data?: Record<string, unknown>) => recordWords(told(type, data))

describe('deals, tasks and projects on the timeline of a lead', () => {
  test('what was made is named, with the way to it', () => {
    expect(words('opportunity.created', { opportunity: { name: 'Big one' } })).toEqual({
      before: 'created the opportunity',
      record: { kind: 'opportunity', id: 'x1', name: 'Big one' },
    })
    expect(words('task.created', { task: { id: 't1', title: 'Call' } })?.before).toBe('added the task')
    expect(words('project.created', { project: { name: 'Roll-out' } })?.record?.name).toBe('Roll-out')
  })

  test('a task that is done, begun or opened again says so', () => {
    const became = (status: string) => words('task.changed', { before: {}, after: { status }, name: 'Call' })
    expect(became('DONE')).toEqual({
      before: 'checked off',
      record: { kind: 'task', id: 'x1', name: 'Call' },
    })
    expect(became('DOING')?.before).toBe('started')
    expect(became('TODO')?.before).toBe('reopened')
  })

  test('other changes are told by the names of the fields', () => {
    const data = { before: {}, after: { amount: '5', close_date: '2026-05-12', updated_at: 'x' } }
    expect(words('opportunity.changed', data)?.before).toBe('changed amount, close date of')
    expect(words('opportunity.changed', { after: { lead_id: 'x' } })?.before).toBe('changed')
  })

  test('a stage that changed is told once', () => {
    const changed = (after: object) => isTold(told('opportunity.changed', { after }))
    expect(changed({ stage: 'closed_won', closed_at: 'x' })).toBe(false)
    expect(changed({ stage: 'proposal', amount: '1' })).toBe(true)
    expect(isTold(told('deal.stage_changed'))).toBe(true)
    expect(words('deal.stage_changed', { of: 'opportunity', name: 'Big one' })?.record?.name).toBe('Big one')
  })

  test('whatever else happens is left to others', () => {
    expect(words('lead.changed')).toBeUndefined()
    expect(words('meeting.synced')).toBeUndefined()
    expect(words('task.exploded')).toBeUndefined()
  })

  test('what a provider sent is told under its own name', () => {
    expect(receivedWords('webhook:email.bounced')).toBe('reported: email bounced')
    expect(receivedWords('webhook:call_ended')).toBe('reported: call ended')
  })

  test('data that says nothing still makes a sentence', () => {
    for (const noun of ['opportunity', 'task', 'project'])
      for (const verb of ['created', 'changed', 'trashed', 'restored'])
        expect(words(`${noun}.${verb}`)?.before).toMatch(/^[a-z]/)
    expect(words('task.overdue')?.record?.name).toBe('a task')
  })
})
