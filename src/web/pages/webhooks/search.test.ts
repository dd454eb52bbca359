import { expect, test } from 'vitest'
import { deliveriesQuery, deliveriesSearch, inboxQuery, inboxSearch } from './search.ts'
import { endpointOptions, reactionInWords, timesInWords } from './words.ts'

const id = 'a'.repeat(24)

test('only what the API understands of a URL gets through', () => {
  const hostile = {
    endpoint: 'bank',
    status: 'x',
    from: 'soon',
    until: '2026-13-45',
    event: '../x',
    event_id: '',
  }
  expect(inboxSearch(hostile)).toEqual({})
  expect(deliveriesSearch({ endpoint_id: `${id}'`, status: ['GONE'], delivery: {}, from: null })).toEqual({})
  expect(inboxSearch({ event_id: 'x'.repeat(256) })).toEqual({})
  expect(inboxSearch({ event_id: 'x'.repeat(255) }).event_id).toHaveLength(1)
})

test('a question in the URL is the question the API is asked; days are whole days', () => {
  const inbox = inboxSearch({ endpoint: 'voice', type: 'call_ended', status: ['failed'], event: id })
  expect(inboxQuery(inbox)).toEqual({ endpoint: ['voice'], type: ['call_ended'], status: ['failed'] })
  const deliveries = deliveriesSearch({
    endpoint_id: id,
    from: '2026-05-12',
    until: '2026-05-12',
    delivery: id,
  })
  const { from, until, ...rest } = deliveriesQuery(deliveries)
  expect(rest).toEqual({ endpoint_id: [id] })
  expect(Date.parse(until!) - Date.parse(from!)).toBe(86_400_000)
})

test('counts, parts of the product and addresses are told in words', () => {
  expect([timesInWords(0, 0), timesInWords(1, 0), timesInWords(2, 3)]).toEqual([
    '',
    '1 duplicate',
    '2 duplicates, 3 replays',
  ])
  expect([reactionInWords('calls.note_it'), reactionInWords('billing')]).toEqual([
    'Calls: note it',
    'Billing',
  ])
  const [a, b, c] = ['A', 'B', 'A'].map((name, at) => ({ id: String(at), name, url: `https://${at}.test` }))
  expect(endpointOptions([a!, b!, c!]).map(({ label }) => label)).toEqual([
    'A (https://0.test)',
    'B',
    'A (https://2.test)',
  ])
})
