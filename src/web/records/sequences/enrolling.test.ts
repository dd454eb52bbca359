import { afterEach, expect, test, vi } from 'vitest'
import type { EnrolmentReview } from '#domains/enrolments/contract.ts'
import { blocksOf, enrolAll, joined } from './enrolling.ts'

afterEach(() => vi.unstubAllGlobals())

const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at))

test('leads go in blocks of what the server takes at once', () => {
  expect([...blocksOf(ids(1001))].map(block => block.length)).toEqual([500, 500, 1])
  expect([...blocksOf(ids(500))]).toHaveLength(1)
  expect([...blocksOf([])]).toEqual([])
})

test('the reviews of the blocks are one review', () => {
  const review = (id: string): EnrolmentReview => ({
    will_enrol: [id],
    suppressed: [],
    already: [],
    no_address: [],
    unknown: 0,
    in_another: [{ lead_id: id, sequence_id: 's', sequence_name: 'Other' }],
    missing: [{ placeholder: 'firstName', lead_ids: [id] }],
    warnings: [{ path: 'steps[0].template', message: 'There is no template.' }],
  })
  const whole = joined(review('a'), review('b'))
  expect(whole.will_enrol).toEqual(['a', 'b'])
  expect(whole.in_another).toHaveLength(2)
  expect(whole.missing).toEqual([{ placeholder: 'firstName', lead_ids: ['a', 'b'] }])
  expect(whole.warnings).toHaveLength(1)
})

test('what is cancelled ends between two blocks, and what is done stays done', async () => {
  const asked: number[] = []
  answerWith(leads => {
    asked.push(leads.length)
    return {
      status: 201,
      body: { data: leads.slice(1), skipped: [{ lead_id: leads[0], reason: 'already' }] },
    }
  })
  const cancel = new AbortController()
  const outcome = await enrolAll('a', ids(1200), false, {
    signal: cancel.signal,
    tell: done => done >= 1000 && cancel.abort(),
  })
  expect(asked).toEqual([500, 500])
  expect(outcome).toMatchObject({ enrolled: 998, left: 200 })
  expect(outcome.skipped).toHaveLength(2)
  expect(outcome.fault).toBeUndefined()
})

test('what breaks off tells how far it came', async () => {
  let blocks = 0
  answerWith(leads =>
    ++blocks === 1
      ? { status: 201, body: { data: leads, skipped: [] } }
      : { status: 409, body: { title: 'In conflict', code: 'template_missing', status: 409 } },
  )
  const outcome = await enrolAll('a', ids(700), false, {
    signal: new AbortController().signal,
    tell: () => {},
  })
  expect(outcome).toMatchObject({ enrolled: 500, left: 200, fault: { code: 'template_missing' } })
})

type Answer = { status: number; body: unknown }

function answerWith(answer: (leads: string[]) => Answer): void {
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const { status, body: told } = answer(JSON.parse(body).lead_ids)
    return new Response(JSON.stringify(told), { status, headers: { 'content-type': 'application/json' } })
  })
}
