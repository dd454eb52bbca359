import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

test('every planted fault has its place in the code, and tests that should find it', () => {
  const misplaced = faults.filter(({ file, find }) => {
    const path = join(ROOT, file)
    return !existsSync(path) || readFileSync(path, 'utf8').split(find).length !== 2
  })
  expect(misplaced.map(({ name }) => name)).toEqual([])
  expect(faults.flatMap(({ tests }) => tests).filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
})
