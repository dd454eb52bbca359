import fc from 'fast-check'
import { walk, type Nodes, type TreeNode } from './tree.ts'

/** Trees of every kind of node, as deep and as wide as people may build them. */
export const anyTree: fc.Arbitrary<Nodes> = fc.letrec<{ list: TreeNode[]; node: TreeNode }>(tie => ({
  list: fc.array(tie('node'), { maxLength: 4 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf(),
    fc.record(
      { type: fc.constant('condition'), field: field(), then: tie('list'), else: tie('list') },
      { requiredKeys: ['type', 'field'] },
    ),
    fc.record({ type: fc.constant('loop'), times: fc.nat(5), nodes: tie('list') }),
    fc.record({
      type: fc.constant('split'),
      paths: fc.array(fc.record({ name: fc.string({ maxLength: 30 }), nodes: tie('list') }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    fc.record({ type: fc.constant('action'), action: fc.constant('send_email'), catch: tie('list') }),
  ),
})).list

/** A tree together with the path of one of its nodes. */
export const treeWithPath = anyTree
  .filter(nodes => nodes.length > 0)
  .chain(nodes =>
    fc.record({
      nodes: fc.constant(nodes),
      path: fc.constantFrom(...[...walk(nodes)].map(({ path }) => path)),
    }),
  )

function leaf(): fc.Arbitrary<TreeNode> {
  return fc.oneof(
    fc.record({ type: fc.constant('action'), action: fc.constantFrom('send_email', 'create_task') }),
    fc.record({ type: fc.constant('delay'), delay: fc.constant('1d') }),
    fc.constant({ type: 'merge' }),
  )
}

function field(): fc.Arbitrary<string> {
  return fc.constantFrom('durationSec', 'lead.title')
}
