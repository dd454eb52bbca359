import { expect, test } from 'vitest'
import { differenceInWords, tookInWords, triggerInWords } from './words.ts'

const changed = (before: unknown, after: unknown) =>
  differenceInWords({
    path: 'nodes[0]',
    kind: 'changed',
    what: 'Delay',
    fields: [{ field: 'until_field', before, after }],
  })

test('a change is told by what was and what is', () => {
  expect(changed('3d', '4d')).toEqual({ line: 'Changed Delay', details: ['until field: “3d” → “4d”'] })
  expect(changed(null, true).details).toEqual(['until field: yes'])
  expect(changed([{ days: 1 }], null).details).toEqual(['until field: [{"days":1}] removed'])
  expect(changed('x'.repeat(300), 1).details[0]!.length).toBeLessThan(120)
})

test('what was added, taken away or moved is named', () => {
  const told = (kind: 'added' | 'removed' | 'moved') =>
    differenceInWords({ path: 'nodes[0]', kind, what: 'Send email', fields: [] }).line
  expect([told('added'), told('removed'), told('moved')]).toEqual([
    'Added Send email',
    'Removed Send email',
    'Moved Send email',
  ])
})

test('a run takes milliseconds or weeks', () => {
  expect([40, 1500, 5 * 3_600_000, 72 * 3_600_000].map(tookInWords)).toEqual([
    '40 ms',
    '1.5 s',
    '5 h',
    '3 days',
  ])
})

test('a trigger that the catalogue does not know is called by its name', () => {
  const triggers = [
    { name: 'lead.created', label: 'New Lead Created', description: '', fields: [], sample: {} },
  ]
  expect(triggerInWords('lead.created', triggers)).toBe('New Lead Created')
  expect(triggerInWords('webhook:own', triggers)).toBe('webhook:own')
})
