import { expect, test } from 'vitest'
import { entryKinds } from '#domains/credits/values.ts'
import { creditsSearch, toggled } from './search.ts'

test('of whatever stands in the URL, only kinds of entries get through', () => {
  expect(creditsSearch({ kind: 'use' })).toEqual({ kind: ['use'] })
  expect(creditsSearch({ kind: ['refund', 'use', 'use', '<script>', null, {}] })).toEqual({
    kind: ['use', 'refund'],
  })
  for (const kind of [undefined, null, '', 'gift', {}, [], entryKinds])
    expect(creditsSearch({ kind })).toEqual({})
})

test('a kind is chosen and left again; all of them are the same as none', () => {
  expect(toggled({}, 'use')).toEqual({ kind: ['use'] })
  expect(toggled({ kind: ['use'] }, 'purchase')).toEqual({ kind: ['purchase', 'use'] })
  expect(toggled({ kind: ['use'] }, 'use')).toEqual({})
  expect(toggled({ kind: entryKinds.slice(1) }, entryKinds[0])).toEqual({})
})
