import { expect, test } from 'vitest'
import { holdingBytes } from './in-hand.ts'

test('a team has so many bytes in hand, and all teams together', () => {
  const take = holdingBytes({ inAllMax: 15, teamMax: 10 })
  const [first, second, other] = [take('a'), take('a'), take('b')]
  first.add(6)
  second.add(4)
  expect(() => second.add(1)).toThrow('Too many uploads at once')
  other.add(5)
  expect(() => other.add(1)).toThrow('Too many uploads at once')
})

test('what is let go makes room, once', () => {
  const take = holdingBytes({ inAllMax: 15, teamMax: 10 })
  const [first, second] = [take('a'), take('a')]
  first.add(10)
  first.letGo()
  first.letGo()
  second.add(10)
  expect(() => second.add(1)).toThrow('Too many uploads at once')
  second.letGo()
  take('b').add(10)
  take('c').add(5)
})
