import fc from 'fast-check'
import { expect, test } from 'vitest'
import { full } from '#test/tier.ts'
import { workOf } from '#test/work.ts'
import { layOut, type Box, type Layout } from './layout.ts'
import { count, ownerOf, placeOf, type Nodes, type TreeNode } from './tree.ts'
import { anyTree } from './tree.harness.ts'

const LAYOUT_MS_MAX = 300

const task = { type: 'action', action: 'create_task' }

test('nothing lies over anything else, everything is drawn, and all of it within the bounds', () => {
  fc.assert(
    fc.property(anyTree, nodes => {
      const layout = layOut(nodes)
      expect(layout.nodes).toHaveLength(count(nodes))
      const boxes = [layout.trigger, ...layout.nodes, ...layout.pluses, ...layout.labels, ...layout.ends]
      expect(overlapping(boxes)).toEqual([])
      expect(new Set(layout.lines.map(({ points }) => points.join(' '))).size).toBe(layout.lines.length)
      for (const box of boxes) {
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(layout.width)
        expect(box.y + box.height).toBeLessThanOrEqual(layout.height)
      }
    }),
    { numRuns: full ? 300 : 60 },
  )
})

test('whatever is in a node stands below it, and lists go down in their order', () => {
  fc.assert(
    fc.property(anyTree, nodes => {
      const { nodes: boxes, trigger } = layOut(nodes)
      const byPath = new Map(boxes.map(box => [box.path, box]))
      for (const box of boxes) {
        const { list, at } = placeOf(box.path)
        const owner = ownerOf(box.path)
        const above = at > 0 ? byPath.get(`${list}[${at - 1}]`)! : owner ? byPath.get(owner)! : trigger
        expect(box.y).toBeGreaterThan(above.y + above.height)
      }
    }),
  )
})

test('a frame holds all that its loop repeats and nothing else', () => {
  fc.assert(
    fc.property(anyTree, nodes => {
      const { nodes: boxes, frames } = layOut(nodes)
      for (const frame of frames) {
        for (const box of boxes) {
          const isOfIt = box.path.startsWith(`${frame.path}.nodes[`)
          expect(overlaps(frame, box)).toBe(isOfIt)
        }
      }
    }),
  )
})

test('there is one place to add at before and behind every node, and in every branch that holds nothing', () => {
  const layout = layOut([
    { type: 'condition', then: [task], else: [] },
    { type: 'loop', nodes: [] },
  ])
  expect(layout.pluses.map(({ place, only }) => `${place.list} ${place.at}${only ? ' only' : ''}`)).toEqual([
    'nodes 0',
    'nodes[0].then 0',
    'nodes[0].then 1',
    'nodes[0].else 0 only',
    'nodes 1',
    'nodes[1].nodes 0 only',
    'nodes 2',
  ])
})

test('nothing can be put between a split and its merge', () => {
  const layout = layOut([{ type: 'split', paths: [{ name: 'A', nodes: [] }] }, { type: 'merge' }])
  expect(layout.pluses.map(({ place }) => `${place.list} ${place.at}`)).toEqual([
    'nodes 0',
    'nodes[0].paths[0].nodes 0',
    'nodes 2',
  ])
})

test('yes is left and no is right; paths keep their order and say their share', () => {
  const layout = layOut([
    { type: 'condition', then: [task], else: [task] },
    { type: 'split', paths: ['A', 'B', 'C'].map(name => ({ name, percent: 30, nodes: [task] })) },
    { ...task, catch: [task] },
  ])
  expect(labels(layout)).toEqual(['Yes', 'No', 'A 30%', 'B 30%', 'C 30%', 'On failure'])
  const xs = layout.nodes.filter(({ path }) => path.startsWith('nodes[1].')).map(({ x }) => x)
  expect(xs).toEqual(xs.toSorted((a, b) => a - b))
  expect(new Set(xs).size).toBe(3)
})

test('what follows a condition without a yes branch is its yes; no ends beside it', () => {
  const gate = layOut([{ type: 'condition' }, task, task])
  expect(labels(gate)).toEqual(['Yes', 'No'])
  expect(gate.ends).toHaveLength(1)
  const [first, ...after] = gate.nodes
  expect(after.map(({ x }) => x)).toEqual([first!.x, first!.x])
  expect(gate.ends[0]!.x).toBeGreaterThan(first!.x + first!.width / 2)
  expect(gate.pluses.map(({ place }) => `${place.list} ${place.at}`)).toContain('nodes[0].else 0')
})

test('two hundred nodes are laid out while nobody waits', () => {
  const nodes = bushy(200)
  layOut(nodes)
  expect(workOf(() => expect(layOut(nodes).nodes).toHaveLength(200))).toBeLessThan(LAYOUT_MS_MAX)
})

function labels({ labels }: Layout): string[] {
  return labels.map(({ text }) => text)
}

function overlapping(boxes: readonly Box[]): [Box, Box][] {
  return boxes.flatMap((one, at) =>
    boxes.slice(at + 1).flatMap((other): [Box, Box][] => (overlaps(one, other) ? [[one, other]] : [])),
  )
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

/** So many nodes, with branches as deep as they may be. */
function bushy(left: number, depth = 0): Nodes {
  const nodes: TreeNode[] = []
  for (let rest = left; rest > 0;) {
    const inside = depth < 8 ? Math.floor((rest - 1) / 2) : 0
    if (inside < 2) {
      nodes.push(task)
      rest--
    } else {
      const half = Math.floor(inside / 2)
      nodes.push({
        type: 'condition',
        then: [...bushy(half, depth + 1)],
        else: [...bushy(inside - half, depth + 1)],
      })
      rest -= inside + 1
    }
  }
  return nodes
}
