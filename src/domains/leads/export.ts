import type { Context } from '#platform/context.ts'
import { exportPages } from '#platform/csv-export.ts'
import { invalid } from '#platform/problem.ts'
import type { Lead, ListLeads } from './contract.ts'
import { listLeads } from './listing.ts'
import { getSettings } from './service.ts'
import { leadColumns } from './store.ts'

/** The matching leads, with the fields asked for in the order asked for; the team's own have columns of their own. */
export async function exportLeads(
  ctx: Context,
  { columns, ...query }: ListLeads & { columns?: string[] },
): Promise<AsyncIterable<string>> {
  const { custom_fields } = await getSettings(ctx)
  const custom = custom_fields.map(({ key }) => `custom.${key}`)
  const every = [...leadColumns.filter(column => column !== 'custom'), ...custom]
  const unknown = (columns ?? []).filter(column => !every.includes(column))
  if (unknown.length > 0) {
    throw invalid(unknown.map(column => ({ path: 'columns', message: `${column} is not a lead field` })))
  }
  return exportPages<Lead>((columns ?? every).map(columnOf), page => listLeads(ctx, { ...query, ...page }))
}

function columnOf(name: string) {
  const key = name.startsWith('custom.') ? name.slice('custom.'.length) : undefined
  return { name, of: (lead: Lead) => (key === undefined ? lead[name as 'id'] : lead.custom[key]) }
}
