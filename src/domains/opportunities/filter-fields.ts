import { ownFilterFields, type Filterable } from '#platform/filters/fields.ts'
import type { Account } from '#domains/accounts/contract.ts'
import { fieldsOfAccount } from '#domains/accounts/filter-fields.ts'
import type { Opportunity } from './contract.ts'
import { opportunityStages } from './values.ts'

/** An opportunity together with what its filters look at beside it. */
export type FilteredOpportunity = Opportunity & { account?: Account }

export const filterableOpportunities: Filterable<FilteredOpportunity> = {
  fields: [
    ...ownFilterFields<FilteredOpportunity>('opportunities', [
      { name: 'name', label: 'Name', type: 'text', lowered: 'name_key' },
      { name: 'amount', label: 'Amount', type: 'money' },
      { name: 'currency', label: 'Currency', type: 'text' },
      { name: 'stage', label: 'Stage', type: 'choice', options: opportunityStages },
      { name: 'close_date', label: 'Close date', type: 'date' },
      { name: 'closed_at', label: 'Closed', type: 'time' },
      { name: 'owner_id', label: 'Owner', type: 'record', of: 'member' },
      { name: 'lead_id', label: 'Lead', type: 'record', of: 'lead' },
      { name: 'account_id', label: 'Account', type: 'record', of: 'account' },
      { name: 'created_at', label: 'Created', type: 'time' },
      { name: 'updated_at', label: 'Updated', type: 'time' },
    ]),
    ...fieldsOfAccount<FilteredOpportunity>('opportunities', ({ account }) => account),
  ],
  activities: [],
}
