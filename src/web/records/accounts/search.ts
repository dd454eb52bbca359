import { accountSorts } from '#domains/accounts/values.ts'
import {
  isIdOrNone,
  isText,
  searchOf,
  type ListSearch,
  type SearchShape,
} from '../../ui/record-list/search.ts'

export const accountsShape: SearchShape = {
  sorts: accountSorts,
  defaultSort: 'name',
  filterable: true,
  lists: { owner_id: isIdOrNone, industry: isText },
}

export function accountsSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(accountsShape, raw)
}
