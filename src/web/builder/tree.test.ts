import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  count,
  duplicate,
  insert,
  listAt,
  move,
  nodeAt,
  nodePathOf,
  ownerOf,
  pathAt,
  placeAfter,
  placeOf,
  remove,
  setFields,
  walk,
  wrap,
  type Nodes,
} from './tree.ts'
import { treeWithPath } from './tree.harness.ts'

const mail = { type: 'action', action: 'send_email', template: 'recap' }
const sms = { type: 'action', action: 'send_sms', message: 'Hi' }
const example: Nodes = [
  { type: 'condition', field: 'durationSec', op: '>', value: 120, then: [mail], else: [sms] },
  {
    type: 'split',
    paths: [
      { name: 'A', nodes: [] },
      { name: 'B', nodes: [mail] },
    ],
  },
]

test('what is put in and taken out again leaves the tree as it was', () => {
  fc.assert(
    fc.property(treeWithPath, fc.boolean(), ({ nodes, path }, before) => {
      const place = before ? placeOf(path) : placeAfter(path)
      const more = insert(nodes, place, [sms])
      expect(nodeAt(more, pathAt(place))).toBe(sms)
      expect(count(more)).toBe(count(nodes) + 1)
      expect(remove(more, pathAt(place))).toEqual(nodes)
    }),
  )
})

test('down and up again leaves the tree as it was, and nothing is lost on the way', () => {
  fc.assert(
    fc.property(treeWithPath, ({ nodes, path }) => {
      const moved = move(nodes, path, 'down')
      if (!moved) return
      expect(nodeAt(moved.nodes, moved.path)).toBe(nodeAt(nodes, path))
      expect(move(moved.nodes, moved.path, 'up')).toEqual({ nodes, path })
    }),
  )
})

test('a copy stands right behind, says the same and is nobody else', () => {
  fc.assert(
    fc.property(treeWithPath, ({ nodes, path }) => {
      const copied = duplicate(nodes, path)!
      expect(copied.path).toBe(pathAt(placeAfter(path)))
      expect(nodeAt(copied.nodes, copied.path)).toEqual(nodeAt(nodes, path))
      expect(nodeAt(copied.nodes, copied.path)).not.toBe(nodeAt(nodes, path))
      expect(remove(copied.nodes, copied.path)).toEqual(nodes)
    }),
  )
})

test('an edit touches what is around it, and leaves every other node the same object', () => {
  fc.assert(
    fc.property(treeWithPath, ({ nodes, path }) => {
      const next = setFields(nodes, path, { name: 'Renamed' })
      for (const { path: at, node } of walk(nodes)) {
        if (path.startsWith(at)) expect(nodeAt(next, at)).not.toBe(node)
        else expect(nodeAt(next, at)).toBe(node)
      }
    }),
  )
})

test('a node is found by its path, and its path leads to its list and to whom it belongs', () => {
  expect(nodeAt(example, 'nodes[0].else[0]')).toBe(sms)
  expect(nodeAt(example, 'nodes[1].paths[1].nodes[0]')).toBe(mail)
  expect(nodeAt(example, 'nodes[7]')).toBeUndefined()
  expect(nodeAt(example, 'nodes[0].constructor')).toBeUndefined()
  expect(listAt(example, 'nodes[1].paths[0].nodes')).toEqual([])
  expect(ownerOf('nodes[1].paths[1].nodes[0]')).toBe('nodes[1]')
  expect(ownerOf('nodes[0].else')).toBe('nodes[0]')
  expect(ownerOf('nodes[0]')).toBeUndefined()
  expect(nodePathOf('nodes[1].paths[1].nodes[0].template')).toBe('nodes[1].paths[1].nodes[0]')
  expect(nodePathOf('nodes[1].paths[1].name')).toBe('nodes[1]')
  expect(nodePathOf('trigger')).toBeUndefined()
})

test('a branch that is not there yet begins with what is put into it; one of nobody does not', () => {
  const gate: Nodes = [{ type: 'condition', field: 'x', op: 'exists' }]
  expect(insert(gate, { list: 'nodes[0].else', at: 0 }, [sms])).toEqual([{ ...gate[0], else: [sms] }])
  expect(insert(gate, { list: 'nodes[4].else', at: 0 }, [sms])).toBe(gate)
})

test('a field set to nothing is gone, and setting what is so already changes nothing', () => {
  expect(nodeAt(setFields(example, 'nodes[0].then[0]', { template: undefined }), 'nodes[0].then[0]')).toEqual(
    {
      type: 'action',
      action: 'send_email',
    },
  )
  expect(setFields(example, 'nodes[0]', { value: 120 })).toBe(example)
})

test('a node goes into the first branch of what is put around it', () => {
  const around = { type: 'loop', times: 3, nodes: [] }
  const wrapped = wrap(example, 'nodes[0].then[0]', around)!
  expect(wrapped.path).toBe('nodes[0].then[0].nodes[0]')
  expect(nodeAt(wrapped.nodes, wrapped.path)).toBe(mail)
  expect(nodeAt(wrapped.nodes, 'nodes[0].then[0]')).toEqual({ ...around, nodes: [mail] })
})
