import { expect, test } from 'vitest'
import { startWords } from './words.ts'

const checked = (checked: number, faulty: number) => ({ checked, faulty })

test('the start of an import says how many rows come in by what the check found', () => {
  expect(startWords(199, undefined)).toEqual({ button: 'Import 199 rows' })
  expect(startWords(199, checked(199, 0))).toEqual({ button: 'Import 199 rows' })
  expect(startWords(1, checked(1, 0))).toEqual({ button: 'Import 1 row' })
  expect(startWords(199, checked(199, 3))).toEqual({
    button: 'Import 196 of 199 rows',
    note: '3 rows have errors and will not be imported.',
  })
  expect(startWords(2, checked(2, 1)).note).toBe('1 row has errors and will not be imported.')
})

test('where only the first rows were checked, it promises nothing of the others', () => {
  expect(startWords(20_000, checked(5_000, 0))).toEqual({ button: 'Import 20,000 rows' })
  expect(startWords(20_000, checked(5_000, 3))).toEqual({
    button: 'Import up to 19,997 rows',
    note: '3 of the first 5,000 rows have errors and will not be imported. The others are checked during the import.',
  })
})
