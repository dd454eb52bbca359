import { expect, test } from 'vitest'
import { recordWords } from './record-words.ts'
import { workflowDetail, workflowTypes } from './workflow-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: 'workflow_run', id: 'r1' },
  data: { workflow_id: 'w1', name: 'Call follow-up', version: 2, ...data },
})
const sentence = (type: string, data?: Record<string, unknown>) => {
  const words = recordWords(told(type, data))
  return words && [words.before, words.record?.name, words.after].filter(Boolean).join(' ')
}

test('every event of a run has words and leads to the run', () => {
  for (const type of workflowTypes)
    expect(recordWords(told(type))?.record, type).toMatchObject({ kind: 'workflow_run', id: 'r1' })
  expect(sentence('workflow.started')).toBe('started a run for this lead')
})

test('whoever starts one by hand is who did it', () => {
  const cause = { kind: 'person' as const, id: 'p1', name: 'Ada' }
  const words = recordWords({ ...told('workflow.started'), cause })
  expect(words).toMatchObject({ before: 'started', record: { name: 'Call follow-up' } })
})

test('what somebody did to a run is told by what became of it', () => {
  const became = (before: string, after: string) => sentence('workflow.run_changed', { before, after })
  expect(became('RUNNING', 'PAUSED')).toBe('paused Call follow-up for this lead')
  expect(became('PAUSED', 'RUNNING')).toBe('resumed Call follow-up for this lead')
  expect(became('FAILED', 'RUNNING')).toBe('retried Call follow-up for this lead')
  expect(became('FAILED', 'CANCELLED')).toBe('cancelled Call follow-up for this lead')
})

test('a run that failed says why', () => {
  expect(sentence('workflow.failed')).toBe('could not finish a run for this lead')
  expect(workflowDetail(told('workflow.failed', { reason: 'No such template' }))).toBe('No such template')
  expect(workflowDetail(told('workflow.started'))).toBeUndefined()
})
