import { submissionStatuses } from '#domains/forms/values.ts'
import { instantsOf, isDay } from '../../ui/day.ts'

/** The URL parameters of the list of forms. */
export type FormsSearch = { q?: string; trashed?: true }

export function formsSearch(raw: Record<string, unknown>): FormsSearch {
  const q = String(raw.q ?? '').slice(0, 200)
  return { ...(q && { q }), ...(String(raw.trashed) === 'true' && { trashed: true as const }) }
}

export const tabs = ['build', 'settings', 'share', 'submissions'] as const
export type Tab = (typeof tabs)[number]
export type SubmissionStatus = (typeof submissionStatuses)[number]

/** The URL parameters of one form: the tab, and what is open or filtered there. */
export type FormSearch = {
  tab?: Exclude<Tab, 'build'>
  /** The field whose panel is open, or `_form` for the form's own texts (not a valid key). */
  field?: string
  /** Shows the preview instead of the fields if there is no room for both. */
  preview?: true
  submission?: string
  status?: SubmissionStatus
  /** Days in the person's time zone, inclusive. */
  from?: string
  until?: string
}

export const FORM_PART = '_form'

const KEY = /^(?:[a-z][a-z0-9_]{0,39}|_form)$/
const ID = /^[0-9a-f]{24}$/

export function formSearch(raw: Record<string, unknown>): FormSearch {
  const tab = tabs.find(each => each === raw.tab)
  if (tab === 'submissions') return { tab, ...submissionSearch(raw) }
  if (tab && tab !== 'build') return { tab }
  const field = String(raw.field ?? '')
  return {
    ...(KEY.test(field) && { field }),
    ...(String(raw.preview) === 'true' && { preview: true as const }),
  }
}

/** The filters as the API takes them. */
export function submissionFilters({ status, from, until }: FormSearch) {
  return { ...(status && { status: [status] }), ...instantsOf(from, until) }
}

function submissionSearch(raw: Record<string, unknown>): FormSearch {
  const submission = String(raw.submission ?? '')
  const status = submissionStatuses.find(each => each === raw.status)
  const [from, until] = [String(raw.from ?? ''), String(raw.until ?? '')]
  return {
    ...(ID.test(submission) && { submission }),
    ...(status && { status }),
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
  }
}
