import { expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { networkOf } from '#platform/network.ts'
import { rateLimiter, type Policy } from './rate-limit.ts'

const once: Policy = { name: 'once', quota: 1, windowS: 60 }

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', ([address, network]) => {
  expect(networkOf(address!)).toBe(network)
})

test('a flood of callers is bounded in memory, and forgets the oldest first', () => {
  const limiter = rateLimiter(new FakeClock())
  limiter.take(once, 'first')
  expect(() => limiter.take(once, 'first')).toThrow('Rate limit exceeded: 1')
  for (let n = 0; n < 60_000; n++) limiter.take(once, `caller ${n}`)
  expect(() => limiter.take(once, 'first')).not.toThrow()
  expect(() => limiter.take(once, 'caller 59999')).toThrow('Rate limit exceeded: 1')
})

test('who came back is not among the oldest', () => {
  const clock = new FakeClock()
  const limiter = rateLimiter(clock)
  limiter.take(once, 'regular')
  for (let n = 0; n < 30_000; n++) limiter.take(once, `early ${n}`)
  clock.advance(60_000)
  limiter.take(once, 'regular')
  for (let n = 0; n < 25_000; n++) limiter.take(once, `late ${n}`)
  expect(() => limiter.take(once, 'regular')).toThrow('Rate limit exceeded: 1')
})
