import { expect, test } from 'vitest'
import { creditsSearch } from './search.ts'

test('of whatever stands in the URL, only kinds of entries get through', () => {
  expect(creditsSearch({ kind: 'use' })).toEqual({ kind: ['use'] })
  expect(creditsSearch({ kind: ['refund', 'use', 'use', '<script>', null, {}] })).toEqual({
    kind: ['refund', 'use'],
  })
  for (const kind of [undefined, null, '', 'gift', {}, []]) expect(creditsSearch({ kind })).toEqual({})
})
