import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOut } from './layout.ts'
import { emptyStop, nearest, next, placeOfStop, TRIGGER, type Way } from './moves.ts'
import type { Nodes } from './tree.ts'
import { anyTree } from './tree.harness.ts'

const task = { type: 'action', action: 'create_task' }
const example: Nodes = [
  { type: 'condition', then: [task, task], else: [task] },
  { type: 'split', paths: [{ nodes: [task] }, { nodes: [] }] },
  { ...task, catch: [task] },
]

function way(nodes: Nodes, from: string, ...ways: Way[]): (string | undefined)[] {
  const stops: (string | undefined)[] = []
  for (let at: string | undefined = from, step = 0; step < ways.length && at !== undefined; step++)
    stops.push((at = next(nodes, at, ways[step]!)))
  return stops
}

test('down goes through the first branches to the end, up goes back along the lists', () => {
  expect(way(example, TRIGGER, 'down', 'down', 'down', 'down', 'down', 'down', 'down')).toEqual([
    'nodes[0]',
    'nodes[0].then[0]',
    'nodes[0].then[1]',
    'nodes[1]',
    'nodes[1].paths[0].nodes[0]',
    'nodes[2]',
    undefined,
  ])
  expect(way(example, 'nodes[0].then[1]', 'up', 'up', 'up', 'up')).toEqual([
    'nodes[0].then[0]',
    'nodes[0]',
    TRIGGER,
    undefined,
  ])
})

test('left and right go from branch to branch, also to one that holds nothing yet', () => {
  expect(way(example, 'nodes[0].then[1]', 'right', 'left', 'left')).toEqual([
    'nodes[0].else[0]',
    'nodes[0].then[0]',
    undefined,
  ])
  expect(way(example, 'nodes[1].paths[0].nodes[0]', 'right', 'down')).toEqual([
    'nodes[1].paths[1].nodes[+]',
    'nodes[2]',
  ])
  expect(placeOfStop('nodes[1].paths[1].nodes[+]')).toEqual({ list: 'nodes[1].paths[1].nodes', at: 0 })
})

test('what hangs beside a node is to its right', () => {
  expect(way(example, 'nodes[2]', 'right', 'left')).toEqual(['nodes[2].catch[0]', 'nodes[2]'])
  const gate: Nodes = [{ type: 'condition' }, task]
  expect(way(gate, 'nodes[0]', 'down')).toEqual(['nodes[1]'])
  expect(way(gate, 'nodes[0]', 'right', 'down')).toEqual(['nodes[0].else[+]', undefined])
})

test('every node, and every branch that holds nothing, can be come to by arrow keys alone', () => {
  fc.assert(
    fc.property(anyTree, nodes => {
      const seen = new Set([TRIGGER])
      for (const stop of seen)
        for (const way of ['up', 'down', 'left', 'right'] as const) {
          const to = next(nodes, stop, way)
          if (to !== undefined) seen.add(to)
        }
      const { nodes: boxes, pluses } = layOut(nodes)
      for (const { path } of boxes) expect(seen).toContain(path)
      for (const { place, only } of pluses) if (only) expect(seen).toContain(emptyStop(place.list))
      for (const stop of seen) expect(nearest(nodes, stop)).toBe(stop)
    }),
  )
})

test('who stood on what is gone stands beside it, or above it', () => {
  expect(nearest(example, 'nodes[0].then[7]')).toBe('nodes[0].then[1]')
  expect(nearest(example, 'nodes[1].paths[1].nodes[3]')).toBe('nodes[1]')
  expect(nearest([], 'nodes[0].then[0]')).toBe(TRIGGER)
})
