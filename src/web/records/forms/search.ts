import type { ListSubmissions } from '#domains/forms/contract.ts'
import { submissionStatuses } from '#domains/forms/values.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isOneOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

/** The URL parameters of the list of forms. */
export type FormsSearch = { q?: string; trashed?: true }

export function formsSearch(raw: Record<string, unknown>): FormsSearch {
  const q = String(raw.q ?? '').slice(0, 200)
  return { ...(q && { q }), ...(String(raw.trashed) === 'true' && { trashed: true as const }) }
}

export const tabs = ['build', 'settings', 'share', 'submissions'] as const
export type Tab = (typeof tabs)[number]

/** The URL parameters of one form: the tab, and what is open or filtered there. */
export type FormSearch = ListSearch & {
  tab?: Exclude<Tab, 'build'>
  /** The field whose panel is open, or `_form` for the form's own texts (not a valid key). */
  field?: string
  /** Shows the preview instead of the fields if there is no room for both. */
  preview?: true
  submission?: string
}

export const FORM_PART = '_form'

const KEY = /^(?:[a-z][a-z0-9_]{0,39}|_form)$/

const submissionsShape: FilterShape = { lists: { status: isOneOf(submissionStatuses) }, period: true }

export function formSearch(raw: Record<string, unknown>): FormSearch {
  const tab = tabs.find(each => each === raw.tab)
  if (tab === 'submissions') {
    const submission = String(raw.submission)
    return { tab, ...filtersOf(submissionsShape, raw), ...(isId(submission) && { submission }) }
  }
  if (tab && tab !== 'build') return { tab }
  const field = String(raw.field ?? '')
  return {
    ...(KEY.test(field) && { field }),
    ...(String(raw.preview) === 'true' && { preview: true as const }),
  }
}

/** The filters as the API takes them. */
export function submissionFilters(search: ListSearch): ListSubmissions {
  return filterQuery(submissionsShape, search)
}
