import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import type { Filterable } from '#platform/filters/fields.ts'
import { countOperators, operatorsOf } from '#platform/filters/values.ts'
import { filterableAccounts } from '#domains/accounts/filter-fields.ts'
import { getSettings as getAccountSettings } from '#domains/accounts/service.ts'
import { filterableLeads } from '#domains/leads/filter-fields.ts'
import { getSettings as getLeadSettings } from '#domains/leads/service.ts'
import { filterableOpportunities } from '#domains/opportunities/filter-fields.ts'
import type { endpoints } from './contract.ts'
import type { FilteredKind } from './values.ts'

export const api: Handlers<typeof endpoints> = {
  listFields: async (ctx, { query }) => described(await filterables[query.kind ?? 'leads'](ctx)),
}

const filterables: Record<FilteredKind, (ctx: Context) => Promise<Filterable<never>>> = {
  leads: async ctx => filterableLeads(await getLeadSettings(ctx)) as never,
  accounts: async ctx => filterableAccounts(await getAccountSettings(ctx)) as never,
  opportunities: async () => filterableOpportunities as never,
}

function described({ fields, activities }: Filterable<never>) {
  return {
    fields: fields.map(({ name, label, type, options, of }) => ({
      name,
      label,
      type,
      operators: [...operatorsOf[type]],
      ...(options && { options: [...options] }),
      ...(of && { of }),
    })),
    activities: activities.map(({ name, label }) => ({ name, label, operators: [...countOperators] })),
  }
}
