import { expect, test } from 'vitest'
import { factKinds } from '#platform/ports/crawler.ts'
import type { Fact } from './contract.ts'
import { SCORE_MAX, scoreOf } from './score.ts'

const facts = (...said: [Fact['kind'], string][]): Fact[] =>
  said.map(([kind, value]) => ({
    kind,
    value,
    label: null,
    url: 'https://acme.test/',
    at: '2026-03-02T09:00:00.000Z',
  }))

test('a site that says nothing is worth nothing', () => {
  expect(scoreOf([], 'acme.test')).toEqual({ score: 0, points: [] })
})

test('each reason is told with its points, and the score is their sum', () => {
  const scored = scoreOf(
    facts(['email', 'ada@acme.test'], ['phone', '030 1'], ['person', 'Ada']),
    'acme.test',
  )
  expect(scored).toEqual({
    score: 50,
    points: [
      { points: 25, why: 'Email address at its own domain' },
      { points: 10, why: 'Phone number' },
      { points: 15, why: 'Named contacts' },
    ],
  })
})

test('an address of its own counts more than one elsewhere, and a number for anywhere more than a local one', () => {
  const scoreFor = (...said: [Fact['kind'], string][]) => scoreOf(facts(...said), 'acme.test').score
  expect(scoreFor(['email', 'ada@elsewhere.test'])).toBe(15)
  expect(scoreFor(['email', 'ada@acme.test'])).toBe(25)
  expect(scoreFor(['email', 'ada@elsewhere.test'], ['email', 'ada@acme.test'])).toBe(25)
  expect(scoreFor(['phone', '030 1'])).toBe(10)
  expect(scoreFor(['phone', '+49301'])).toBe(15)
})

test('who says everything has the whole hundred, and nobody more', () => {
  const everything = factKinds.map((kind): [Fact['kind'], string] => [kind, `+${kind}@acme.test`])
  const { score, points } = scoreOf(facts(...everything, ...everything), 'acme.test')
  expect(score).toBe(SCORE_MAX)
  expect(points.reduce((sum, { points }) => sum + points, 0)).toBe(SCORE_MAX)
})
