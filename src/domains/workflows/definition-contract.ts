import { oneOf, t, type Static } from '#platform/contract.ts'
import type { Comparison, Node as AnyNode } from './definition.ts'
import { comparison } from './nodes/kind.ts'
import { nodeTypes } from './values.ts'

/** Its fields depend on its type: `GET /api/crm/workflows/catalog` has the schema of each. */
export const Node = t.Unsafe<AnyNode>(
  t.Object({ type: oneOf(nodeTypes) }, { $id: 'WorkflowNode', additionalProperties: true }),
)

export const Trigger = t.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'A trigger like lead.created or webhook:call_ended; see the catalog',
})

/** Which values go with which operator is judged with the definition. */
export const Filter = t.Object(
  {
    field: comparison.field,
    op: comparison.op,
    value: t.Optional(
      t.Unsafe<Comparison['value']>(t.Unknown({ description: 'A number, text, true, false or a list' })),
    ),
  },
  { $id: 'WorkflowFilter', additionalProperties: false },
)

export const definition = {
  trigger: Trigger,
  filters: t.Array(Filter, { description: 'Runs only for events that meet all of these conditions' }),
  once_per_lead: t.Boolean({ description: 'Each lead runs through it only once' }),
  nodes: t.Array(Node),
}
export const WorkflowDefinition = t.Object(definition, { $id: 'WorkflowDefinition' })
export type WorkflowDefinition = Static<typeof WorkflowDefinition>
