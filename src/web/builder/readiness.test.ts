import { expect, test } from 'vitest'
import { newNode } from './catalog.ts'
import { inTwo } from './readiness.ts'
import type { Nodes, TreeNode } from './tree.ts'

const empty = { path: 'nodes', message: 'needs a first step' }
const mail = newNode('action send_email')
const condition = { ...newNode('condition'), then: [mail] }
const faults = [
  { path: 'nodes[0].field', message: 'must be a field' },
  { path: 'nodes[0].then[0].template', message: 'is missing' },
]
const look = (nodes: Nodes, more: { touched?: Set<TreeNode>; tried?: boolean } = {}) => ({
  nodes,
  touched: more.touched ?? new Set<TreeNode>(),
  tried: more.tried ?? false,
})

test('a new workflow and a step that was just added are not wrong, only not ready', () => {
  expect(inTwo([empty], look([]))).toEqual({ wrong: [], unready: [empty] })
  expect(inTwo(faults, look([condition]))).toEqual({ wrong: [], unready: faults })
})

test('a step is wrong once somebody has set something of it, also when it was emptied again', () => {
  const begun = { ...condition, value: '120' }
  expect(inTwo(faults, look([begun]))).toEqual({ wrong: [faults[0]], unready: [faults[1]] })
  expect(inTwo(faults, look([condition], { touched: new Set([mail]) }))).toEqual({
    wrong: [faults[1]],
    unready: [faults[0]],
  })
})

test('whoever wants to publish sees everything', () => {
  expect(inTwo([empty], look([], { tried: true })).wrong).toEqual([empty])
  expect(inTwo(faults, look([condition], { tried: true })).wrong).toEqual(faults)
})

test('what is wrong with the trigger or beyond a step is always shown', () => {
  const others = [{ path: 'trigger', message: 'is no trigger' }]
  expect(inTwo(others, look([condition])).wrong).toEqual(others)
})
