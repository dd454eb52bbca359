import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asText, nodesIn } from './clipboard.ts'
import { anyTree } from './tree.harness.ts'

const mail = { type: 'action', action: 'send_email', template: 'recap', delay: '2d' }
const call = { type: 'condition', field: 'durationSec', op: '>', value: 120, then: [mail], else: [] }

test('what is copied can be pasted, and what is no part of a workflow cannot', () => {
  fc.assert(
    fc.property(
      anyTree.filter(nodes => nodes.length > 0),
      nodes => void expect(nodesIn(asText(nodes))).toEqual(nodes),
    ),
  )
  expect(nodesIn(JSON.stringify(mail))).toEqual([mail])
  for (const text of ['', 'hello', '[]', '{}', '{"type":"rocket"}', '{"type":"action"}', '[1]', 'null'])
    expect(nodesIn(text)).toBeUndefined()
  expect(nodesIn(JSON.stringify({ type: 'split', paths: [{ name: 'A' }] }))).toBeUndefined()
  expect(nodesIn(JSON.stringify({ ...call, then: [{ type: 'no' }] }))).toBeUndefined()
  expect(nodesIn(JSON.stringify(Array.from({ length: 501 }, () => mail)))).toBeUndefined()
})
