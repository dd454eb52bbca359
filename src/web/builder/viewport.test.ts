import { expect, test } from 'vitest'
import { layOut } from './layout.ts'
import { beginning, fitting, revealing } from './viewport.ts'

const task = { type: 'action', action: 'create_task' }
const screen = { width: 1000, height: 700 }

test('what fits is shown whole and never larger than it is drawn', () => {
  expect(beginning(layOut([task]), screen).zoom).toBe(1)
})

test('what would be too small to read is shown from its beginning; whoever asks sees all of it', () => {
  const long = layOut(Array.from({ length: 20 }, () => task))
  const first = beginning(long, screen)
  expect(first.zoom).toBe(1)
  expect(first.y).toBeGreaterThan(0)
  const all = fitting(long, screen)
  expect(all.y + long.height * all.zoom).toBeLessThanOrEqual(screen.height)
})

test('a step outside comes into sight by the shortest way, and one that is seen stays where it is', () => {
  const view = { x: 0, y: 0, zoom: 1 }
  const box = { x: 300, y: 300, width: 200, height: 74 }
  expect(revealing(box, screen, view)).toBe(view)
  const below = revealing({ ...box, y: 900 }, screen, view)
  expect(below).toMatchObject({ x: 0, zoom: 1 })
  expect(900 + 74 + below.y).toBeLessThanOrEqual(screen.height)
  expect(revealing({ ...box, x: -500 }, screen, view).x).toBeGreaterThan(500)
})
