import { describe, expect, test } from 'vitest'
import type { FormContent } from '#domains/forms/contract.ts'
import { contentOf, draftFrom, type DraftContent } from './draft-content.ts'
import { problemsOf } from './draft-problems.ts'
import { relabelled } from './field-keys.ts'
import { copyOf, newField } from './field-kinds.ts'
import * as history from '../../ui/draft/history.ts'
import { applied, nextPlace, placeOf, type Operation } from './operations.ts'

const content: FormContent = {
  title: 'Contact',
  description: null,
  fields: [
    { key: 'name', type: 'text', label: 'Name', required: true },
    { key: 'email', type: 'email', label: 'E-mail' },
    { key: 'plan', type: 'choice', label: 'Plan', options: ['Small', 'Large'] },
  ],
  steps: [],
  submit_label: 'Send',
  thank_you: 'Thank you.',
  redirect_url: null,
  field_mapping: { email: 'email' },
}
const draft = draftFrom(content)
const [name, email, plan] = draft.fields as [
  (typeof draft.fields)[0],
  (typeof draft.fields)[0],
  (typeof draft.fields)[0],
]
const keys = (of: DraftContent) => of.fields.map(({ key }) => key)
const placed = (of: DraftContent) => of.fields.map(({ key, step }) => `${step}:${key}`)
const { undo, redo } = history
const act = (before: history.History<DraftContent>, operation: Operation) =>
  history.act(before, applied(before.now, operation), placeOf(operation))
const acted = (...operations: Operation[]) => operations.reduce(act, history.begin(draft))

test('what the server has comes back to it as it was', () => {
  expect(contentOf(draft)).toEqual(content)
  const again = draftFrom({ ...content, title: 'Other' }, draft.fields)
  expect(again.fields.map(({ id }) => id)).toEqual(draft.fields.map(({ id }) => id))
})

describe('an edit', () => {
  test('adds a field with a key of its own, and maps what can only mean one thing', () => {
    const phone = newField('phone', draft, 0)
    const after = applied(draft, { kind: 'add', field: phone, at: 1 })
    expect(keys(after)).toEqual(['name', 'phone', 'email', 'plan'])
    expect(contentOf(after).field_mapping).toEqual({ email: 'email', phone: 'phone' })
    const second = newField('email', after, 0)
    expect([second.key, second.target]).toEqual(['email_2', ''])
    expect(newField('email', applied(after, { kind: 'add', field: second, at: 9 }), 0).key).toBe('email_3')
  })

  test('changes one field, and its mapping follows the key', () => {
    const after = applied(draft, {
      kind: 'change',
      id: email.id,
      change: { key: 'work_mail', help: ' Yours ' },
    })
    expect(contentOf(after).field_mapping).toEqual({ work_mail: 'email' })
    expect(contentOf(after).fields[1]).toEqual({
      key: 'work_mail',
      type: 'email',
      label: 'E-mail',
      help: 'Yours',
    })
    expect(draft.fields[1]!.key).toBe('email')
  })

  test('that changes nothing is none', () => {
    expect(applied(draft, { kind: 'change', id: name.id, change: { label: 'Name' } })).toBe(draft)
    expect(applied(draft, { kind: 'set', change: { title: 'Contact' } })).toBe(draft)
    expect(applied(draft, { kind: 'remove', id: 'gone' })).toBe(draft)
    expect(applied(draft, { kind: 'add', field: plan, at: 0 })).toBe(draft)
    expect(applied(draft, { kind: 'move', id: name.id, step: 0, before: email.id })).toBe(draft)
  })

  test('moves a field before another, or to the end', () => {
    const first = applied(draft, { kind: 'move', id: plan.id, step: 0, before: name.id })
    expect(keys(first)).toEqual(['plan', 'name', 'email'])
    expect(keys(applied(draft, { kind: 'move', id: name.id, step: 0, before: null }))).toEqual([
      'email',
      'plan',
      'name',
    ])
  })

  test('removes a field together with its mapping', () => {
    const after = applied(draft, { kind: 'remove', id: email.id })
    expect(keys(after)).toEqual(['name', 'plan'])
    expect(contentOf(after).field_mapping).toEqual({})
  })

  test('copies a field without filling the same field of the lead twice', () => {
    const copy = copyOf(email, draft)
    expect([copy.key, copy.label, copy.target]).toEqual(['email_copy', 'E-mail (copy)', ''])
  })

  test('leaves out what is empty', () => {
    const options = ['Small', ' ', 'Large ', 'Small']
    const after = applied(draft, { kind: 'change', id: plan.id, change: { options, placeholder: '  ' } })
    expect(contentOf(after).fields[2]).toEqual({
      key: 'plan',
      type: 'choice',
      label: 'Plan',
      options: ['Small', 'Large'],
    })
  })
})

describe('steps', () => {
  const two = applied(draft, { kind: 'add_step', title: 'Step 2' })

  test('the first that is added makes two', () => {
    expect(two.steps).toEqual(['Step 1', 'Step 2'])
    expect(placed(two)).toEqual(['0:name', '0:email', '0:plan'])
    expect(contentOf(two).fields.map(({ step }) => step)).toEqual([0, 0, 0])
  })

  test('the arrows lead past a neighbour, and into the next step at the end of one', () => {
    const down = (of: DraftContent, id: string) => applied(of, nextPlace(of, id, 'down')!)
    const up = (of: DraftContent, id: string) => applied(of, nextPlace(of, id, 'up')!)
    expect(placed(down(two, name.id))).toEqual(['0:email', '0:name', '0:plan'])
    const across = down(two, plan.id)
    expect(placed(across)).toEqual(['0:name', '0:email', '1:plan'])
    expect(placed(down(across, email.id))).toEqual(['0:name', '1:email', '1:plan'])
    expect(placed(up(across, plan.id))).toEqual(['0:name', '0:email', '0:plan'])
    expect(nextPlace(two, name.id, 'up')).toBeUndefined()
    expect(nextPlace(across, plan.id, 'down')).toBeUndefined()
    expect(nextPlace(draft, plan.id, 'down')).toBeUndefined()
  })

  test('one that goes leaves its fields to the one before, and one alone is none', () => {
    const three = applied(two, { kind: 'add_step', title: 'Step 3' })
    const spread = [email, plan].reduce(
      (of, field, at) => applied(of, { kind: 'move', id: field.id, step: at + 1, before: null }),
      three,
    )
    expect(placed(spread)).toEqual(['0:name', '1:email', '2:plan'])
    expect(placed(applied(spread, { kind: 'remove_step', step: 1 }))).toEqual(['0:name', '0:email', '1:plan'])
    expect(placed(applied(spread, { kind: 'remove_step', step: 0 }))).toEqual(['0:name', '0:email', '1:plan'])
    const alone = applied(applied(spread, { kind: 'remove_step', step: 2 }), { kind: 'remove_step', step: 1 })
    expect(alone.steps).toEqual([])
    expect(placed(alone)).toEqual(['0:name', '0:email', '0:plan'])
  })
})

describe('undo and redo', () => {
  test('go back and forth through the edits', () => {
    const end = acted({ kind: 'remove', id: name.id }, { kind: 'set', change: { title: 'New' } })
    const back = undo(end)
    expect(back.now.title).toBe('Contact')
    expect(keys(undo(back).now)).toEqual(['name', 'email', 'plan'])
    expect(undo(undo(back))).toEqual(undo(back))
    expect(redo(redo(undo(back))).now).toBe(end.now)
  })

  test('typing on in one place is one edit', () => {
    const type = (label: string): Operation => ({ kind: 'change', id: name.id, change: { label } })
    const typed = acted(type('N'), type('Ne'), type('New'))
    expect(undo(typed).now).toBe(draft)
    const elsewhere = act(typed, { kind: 'change', id: name.id, change: { help: 'x' } })
    expect(undo(elsewhere).now.fields[0]!.label).toBe('New')
    const again = act(undo(elsewhere), type('Newer'))
    expect(undo(again).now.fields[0]!.label).toBe('New')
  })

  test('a new edit forgets what could be done again', () => {
    const end = act(undo(acted({ kind: 'remove', id: name.id })), { kind: 'set', change: { title: 'New' } })
    expect(end.future).toEqual([])
  })
})

describe('the key of a field', () => {
  const added = newField('text', draft, 0)

  test('follows its label until somebody chooses it, or visitors have seen it', () => {
    expect(relabelled(added, 'Größe des Teams', draft.fields, [])).toEqual({
      label: 'Größe des Teams',
      key: 'grosse_des_teams',
    })
    expect(relabelled({ ...added, key: 'mine' }, 'Other', draft.fields, [])).toEqual({ label: 'Other' })
    expect(relabelled(name, 'Full name', draft.fields, ['name'])).toEqual({ label: 'Full name' })
    expect(relabelled(name, 'Full name', draft.fields, undefined)).toEqual({ label: 'Full name' })
    expect(relabelled(added, 'Plan', [...draft.fields, added], []).key).toBe('plan_2')
  })
})

test('what cannot be saved is said where it can be fixed', () => {
  const broken: DraftContent = {
    ...draft,
    title: ' ',
    redirect_url: 'javascript:alert(1)',
    fields: [
      { ...name, label: '' },
      { ...email, key: 'plan' },
      { ...plan, options: [''] },
    ],
  }
  expect(problemsOf(draft)).toEqual([])
  expect(problemsOf(broken).map(({ id, name }) => [id, name])).toEqual([
    [null, 'title'],
    [null, 'redirect_url'],
    [name.id, 'label'],
    [email.id, 'key'],
    [plan.id, 'key'],
    [plan.id, 'options'],
  ])
})
