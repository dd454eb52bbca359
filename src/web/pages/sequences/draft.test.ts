import { expect, test } from 'vitest'
import type { SequenceWithWarnings, Step } from '#domains/sequences/contract.ts'
import { ApiProblem } from '../../problem.ts'
import { differencesOf } from './differences.ts'
import { createStepsDraft } from './draft.ts'
import { messageAt, problemsOf } from './draft-problems.ts'
import { newStep } from './draft-steps.ts'
import { nextPlace } from './operations.ts'

const steps: Step[] = [
  { type: 'email', template: 'intro', delay_days: 0 },
  { type: 'email', template: 'follow_up', delay_days: 3, condition: 'not previous.opened' },
  { type: 'task', description: 'Call', delay_days: 0 },
]

function sequence(given: Step[] = steps, at = '2026-01-01T00:00:00.000Z'): SequenceWithWarnings {
  return { id: 'a'.repeat(24), steps: given, version: 1, updated_at: at } as SequenceWithWarnings
}

/** A draft, and what the server is asked to save; it answers as told. */
function drafted(answer: (steps: Step[]) => SequenceWithWarnings | ApiProblem, theirs = sequence()) {
  const sent: Step[][] = []
  const draft = createStepsDraft(sequence(), {
    async save(steps) {
      sent.push(steps)
      const told = answer(steps)
      if (told instanceof ApiProblem) throw told
      return told
    },
    read: async () => theirs,
  })
  return { draft, sent }
}

const now = (draft: ReturnType<typeof drafted>['draft']) => draft.state.get().history.now
const later = (steps: Step[]) => sequence(steps, '2026-01-02T00:00:00.000Z')

test('an edit is not saved until somebody saves, and taking it back makes it saved again', async () => {
  const { draft, sent } = drafted(later)
  const [first] = now(draft)
  draft.act({ kind: 'change', id: first!.id, change: { days: '2' } })
  expect(draft.state.get().saving).toBe('unsaved')
  expect(sent).toEqual([])
  draft.undo()
  expect(draft.state.get().saving).toBe('saved')
  draft.redo()
  await draft.save()
  expect(sent).toEqual([[{ ...steps[0], delay_days: 2 }, steps[1], steps[2]]])
  expect(draft.state.get().saving).toBe('saved')
})

test('typing on in one place is one edit, and steps move past their neighbours', () => {
  const { draft } = drafted(later)
  const id = now(draft)[0]!.id
  for (const template of ['a', 'ab', 'abc']) draft.act({ kind: 'change', id, change: { template } })
  draft.undo()
  expect(now(draft)[0]!.template).toBe('intro')
  draft.act(nextPlace(now(draft), id, 'down')!)
  expect(now(draft).map(({ type, template }) => template || type)).toEqual(['follow_up', 'intro', 'task'])
  draft.act(nextPlace(now(draft), id, 'down')!)
  expect(now(draft).at(-1)!.id).toBe(id)
  expect(nextPlace(now(draft), id, 'down')).toBeUndefined()
})

test('what the server refuses stands at its step until that step is changed', async () => {
  const refusal = new ApiProblem({
    status: 422,
    code: 'validation_failed',
    title: 'Not valid',
    errors: [{ path: 'steps[1].template', message: 'is too odd' }],
  })
  const { draft } = drafted(() => refusal)
  const id = now(draft)[1]!.id
  draft.act({ kind: 'change', id, change: { template: '?' } })
  expect(await draft.save()).toBe(false)
  expect(messageAt(draft.refused.get(), id, 'template')).toBe('Is too odd')
  draft.act({ kind: 'change', id: now(draft)[0]!.id, change: { days: '1' } })
  expect(draft.refused.get()).toHaveLength(1)
  draft.act({ kind: 'change', id, change: { template: 'fine' } })
  expect(draft.refused.get()).toEqual([])
})

test('somebody else’s settings do not disturb, somebody else’s steps need a person', async () => {
  const stale = new ApiProblem({ status: 412, code: 'changed_meanwhile', title: 'Changed' })
  let tries = 0
  const settings = drafted(steps => (++tries === 1 ? stale : later(steps)), later(steps))
  settings.draft.act({ kind: 'change', id: now(settings.draft)[0]!.id, change: { days: '1' } })
  expect(await settings.draft.save()).toBe(true)

  const theirs = later(steps.slice(0, 1))
  const both = drafted(() => stale, theirs)
  both.draft.act({ kind: 'change', id: now(both.draft)[0]!.id, change: { days: '1' } })
  expect(await both.draft.save()).toBe(false)
  expect(both.draft.state.get().saving).toBe('conflict')
  await both.draft.takeTheirs()
  expect(now(both.draft)).toHaveLength(1)
  both.draft.undo()
  expect(now(both.draft)[0]!.days).toBe('1')
})

test('what is missing or cannot be read is said at its field', () => {
  const wait = { ...newStep('delay'), days: 'soon' }
  const mail = { ...newStep('email'), template: 'intro', condition: 'previous.slept' }
  const problems = problemsOf([wait, mail, newStep('sms'), newStep('task')])
  expect(problems.map(({ field }) => field)).toEqual(['days', 'condition', 'message', 'description'])
  expect(messageAt(problems, mail.id, 'condition')).toContain('At character 1')
})

test('versions are told apart in words', () => {
  const after: Step[] = [
    { type: 'email', template: 'intro', delay_days: 0, ai_personalization: true },
    { type: 'sms', message: 'Hello', delay_days: 1 },
    { type: 'email', template: 'follow_up', delay_days: 5 },
  ]
  expect(differencesOf(steps, after)).toEqual([
    'Removed step 3: Task “Call”',
    'Step 1 starts with an icebreaker',
    'New step 2: Text message “Hello”',
    'Step 3: wait 5 days instead of wait 3 days',
    'Step 3 is always sent',
  ])
  expect(differencesOf(steps, [steps[1]!, steps[0]!, steps[2]!])).toEqual(['Steps reordered'])
})
