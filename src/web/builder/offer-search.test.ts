import { expect, test } from 'vitest'
import { logic } from '#domains/workflows/nodes/logic.ts'
import { shapes } from '#domains/workflows/nodes/shapes.ts'
import { searchOffers } from './offer-search.ts'

const offers = [
  ...Object.values(shapes).map(({ action, title, description }) => ({
    key: `action ${action}`,
    title,
    description,
    kind: 'action',
  })),
  ...Object.values(logic).map(({ type, title, description }) => ({
    key: type,
    title,
    description,
    kind: type,
  })),
]
const found = (text: string) => searchOffers(offers, text).map(({ title }) => title)

test.for([
  ['if', 'If / else'],
  ['IF ', 'If / else'],
  ['else', 'If / else'],
  ['condition', 'If / else'],
  ['not', 'Push notification'],
  ['sms', 'Send SMS'],
  ['send e', 'Send email'],
  ['email send', 'Send email'],
  ['update_field', 'Update field'],
  ['generate_i', 'Generate invoice'],
  ['de', 'Delay'],
  ['task', 'Create task'],
  ['hook', 'Call webhook'],
] as const)('%s finds %s first', ([text, first]) => {
  expect(found(text)[0]).toBe(first)
})

test('what is named so comes before what is about it, and what fits nowhere is not shown', () => {
  expect(found('call')).toEqual(expect.arrayContaining(['Call webhook', 'Schedule call']))
  expect(found('call').slice(0, 2)).toEqual(['Call webhook', 'Schedule call'])
  expect(found('')).toEqual(offers.map(({ title }) => title))
  expect(found('zebra')).toEqual([])
})
