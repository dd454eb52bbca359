import type { Context } from '#platform/context.ts'
import { t } from '#platform/contract.ts'
import { listVoices } from '#domains/agents/voices.ts'
import { recentSettings } from '#domains/leads/service.ts'
import { leadStatuses, callStatuses } from '#domains/leads/values.ts'
import type { Catalog } from './contract.ts'
import { actionFields } from './nodes/kind.ts'
import { logic } from './nodes/logic.ts'
import { shapes } from './nodes/shapes.ts'
import { starters } from './starters.ts'
import { triggers } from './triggers.ts'
import { DEPTH_MAX, NODES_MAX, PATHS_MAX, STEPS_MAX, TURNS_MAX, type Operator } from './values.ts'

/** All that a workflow can be made of: the builder's menus and panels, and what a program must know to write one. */
export async function readCatalog(ctx: Context): Promise<Catalog> {
  const [{ pipeline_stages, custom_fields }, voices] = await Promise.all([
    recentSettings(ctx),
    listVoices(ctx),
  ])
  const own = custom_fields.map(({ key, label, kind, options }) => ({
    field: `custom.${key}`,
    label,
    type: kind,
    ...(options && { options: [...options] }),
  }))
  return {
    triggers: triggers.map(({ hears: _, ...trigger }) => trigger),
    actions,
    logic: kinds,
    operators: (Object.keys(operatorLabels) as Operator[]).map(op => ({ op, label: operatorLabels[op] })),
    lead_fields: [
      ...leadFields.map(field =>
        field.field === 'pipeline_stage' ? { ...field, options: [...pipeline_stages] } : field,
      ),
      ...own,
    ],
    starters,
    agents: voices.map(({ name }) => name),
    limits: { nodes: NODES_MAX, depth: DEPTH_MAX, paths: PATHS_MAX, turns: TURNS_MAX, steps: STEPS_MAX },
  }
}

const actions = Object.values(shapes).map(({ action, title, description, fields }) => ({
  action,
  title,
  description,
  schema: schemaOf({ ...actionFields, ...fields }),
  lists: ['catch'],
}))

const kinds = Object.values(logic).map(({ type, title, description, fields, lists }) => ({
  type,
  title,
  description,
  schema: schemaOf(fields),
  lists: [...lists],
}))

/** As JSON says it: what the library keeps beside is not for others. */
function schemaOf(fields: Parameters<typeof t.Object>[0]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(t.Object(fields, { additionalProperties: false }))) as Record<
    string,
    unknown
  >
}

const operatorLabels: Record<Operator, string> = {
  '==': 'is',
  '!=': 'is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  contains: 'contains',
  starts_with: 'starts with',
  in: 'is one of',
  exists: 'exists',
}

const leadFields: Catalog['lead_fields'] = [
  { field: 'first_name', label: 'First name', type: 'text' },
  { field: 'last_name', label: 'Last name', type: 'text' },
  { field: 'email', label: 'Email', type: 'text' },
  { field: 'phone', label: 'Phone', type: 'text' },
  { field: 'company', label: 'Company', type: 'text' },
  { field: 'title', label: 'Title', type: 'text' },
  { field: 'website', label: 'Website', type: 'text' },
  { field: 'timezone', label: 'Time zone', type: 'text' },
  { field: 'owner_id', label: 'Owner', type: 'member' },
  { field: 'status', label: 'Status', type: 'choice', options: [...leadStatuses] },
  { field: 'call_status', label: 'Call status', type: 'choice', options: [...callStatuses] },
  { field: 'pipeline_stage', label: 'Pipeline stage', type: 'choice' },
  { field: 'source', label: 'Source', type: 'text' },
]
