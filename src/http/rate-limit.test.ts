import { expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { networkOf } from '#platform/network.ts'
import { rateLimiter } from './rate-limit.ts'

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

test('a request that has to wait for the count of other processes gets the headers of that count', async () => {
  const clock = new FakeClock()
  const endsAt = clock.now() + 30_000
  const windows = { tryCount: () => undefined, count: async () => ({ used: 8, endsAt }) }
  const limiter = rateLimiter({ clock, windows })
  const policy = { name: 'ten', quota: 10, windowS: 60 }
  expect(limiter.takeNow(policy, 'caller')).toBeUndefined()
  expect(await limiter.take(policy, 'caller')).toEqual({
    'ratelimit-policy': '"ten";q=10;w=60',
    ratelimit: '"ten";r=2;t=30',
  })
})
