import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import type { ListLeads } from './contract.ts'
import { CUSTOM, leadsAsCsv } from './listing.ts'
import { getSettings } from './service.ts'
import { leadColumns } from './store.ts'

/** The matching leads, with the fields asked for in the order asked for; the team's own have columns of their own. */
export async function exportLeads(
  ctx: Context,
  { columns, ...query }: Omit<ListLeads, 'limit' | 'cursor'> & { columns?: string[] },
): Promise<AsyncIterable<string | Uint8Array>> {
  const { custom_fields } = await getSettings(ctx)
  const custom = custom_fields.map(({ key }) => `${CUSTOM}${key}`)
  const every = [...leadColumns.filter(column => column !== 'custom'), ...custom]
  const unknown = (columns ?? []).filter(column => !every.includes(column))
  if (unknown.length > 0) {
    throw invalid(unknown.map(column => ({ path: 'columns', message: `${column} is not a lead field` })))
  }
  return leadsAsCsv(ctx, query, columns ?? every)
}
