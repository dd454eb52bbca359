import { expect, test } from 'vitest'
import type { Definition, Node } from './definition.ts'
import { differences } from './differences.ts'

const task = (title: string, more: object = {}): Node => ({
  type: 'action',
  action: 'create_task',
  title,
  ...more,
})
const mail: Node = { type: 'action', action: 'send_email', template: 'intro' }
const of = (...nodes: Node[]): Definition => ({
  trigger: 'lead.created',
  filters: [],
  once_per_lead: false,
  nodes,
})
const inShort = (before: Definition | null, after: Definition) =>
  differences(before, after).map(({ kind, path, what }) => `${kind} ${path}: ${what}`)

test('nothing differs from itself, in whatever order its fields stand', () => {
  expect(
    differences(
      of(task('a', { delay: '1d' })),
      of({ delay: '1d', title: 'a', action: 'create_task', type: 'action' } as Node),
    ),
  ).toEqual([])
})

test('of the first version everything is new', () => {
  expect(inShort(null, of(task('a'), mail))).toEqual([
    'added nodes[0]: Create task',
    'added nodes[1]: Send email',
  ])
})

test('a node between others is new, and the others stay', () => {
  expect(inShort(of(task('a'), task('b')), of(task('a'), mail, task('b')))).toEqual([
    'added nodes[1]: Send email',
  ])
})

test('one that is gone is told by where it stood', () => {
  expect(inShort(of(task('a'), mail, task('b')), of(task('a'), task('b')))).toEqual([
    'removed nodes[1]: Send email',
  ])
})

test('one of the same kind is a changed one, field by field', () => {
  expect(differences(of(task('a')), of(task('b', { delay: '2d' })))).toEqual([
    {
      path: 'nodes[0]',
      kind: 'changed',
      what: 'Create task',
      fields: [
        { field: 'title', before: 'a', after: 'b' },
        { field: 'delay', before: null, after: '2d' },
      ],
    },
  ])
})

test('changes deep inside are told there, and not of what is around them', () => {
  const around = (...nodes: Node[]) =>
    of({ type: 'condition', field: 'a', op: 'exists', then: nodes, else: [mail] })
  expect(inShort(around(task('a')), around(task('b')))).toEqual(['changed nodes[0].then[0]: Create task'])
  const without = of({ type: 'condition', field: 'a', op: 'exists', then: [task('a')] })
  expect(inShort(around(task('a')), without)).toEqual(['removed nodes[0].else[0]: Send email'])
})

test('what stands elsewhere has moved', () => {
  expect(inShort(of(mail, task('a'), task('b')), of(task('a'), task('b'), mail))).toEqual([
    'moved nodes[2]: Send email',
  ])
})

test('trigger, filters and once per lead are told too', () => {
  const after = {
    ...of(mail),
    trigger: 'form.submitted',
    once_per_lead: true,
    filters: [{ field: 'a', op: 'exists' as const }],
  }
  expect(differences(of(mail), after).map(({ path }) => path)).toEqual([
    'trigger',
    'filters',
    'once_per_lead',
  ])
})
