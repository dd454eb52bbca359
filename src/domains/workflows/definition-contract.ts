import { oneOf, t, type Static } from '#platform/contract.ts'
import type { Comparison, Node as AnyNode } from './definition.ts'
import { comparison } from './nodes/kind.ts'
import { nodeTypes } from './values.ts'

/** What stands in it depends on its type: `GET /api/crm/workflows/catalog` has the schema of each. */
export const Node = t.Unsafe<AnyNode>(
  t.Object({ type: oneOf(nodeTypes) }, { $id: 'WorkflowNode', additionalProperties: true }),
)

export const Trigger = t.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'lead.created, webhook:call_ended and others: see the catalog',
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
  filters: t.Array(Filter, { description: 'It is set off only by events for which all of these hold' }),
  once_per_lead: t.Boolean({ description: 'A lead goes through it once and never again' }),
  nodes: t.Array(Node),
}
export const WorkflowDefinition = t.Object(definition, { $id: 'WorkflowDefinition' })
export type WorkflowDefinition = Static<typeof WorkflowDefinition>
