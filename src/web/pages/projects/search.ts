import { projectStatuses } from '#domains/projects/values.ts'
import { isId, isOneOf, searchOf, type ListSearch, type SearchShape } from '../../ui/record-list/search.ts'

/** Search parameters of a project: board or list, and the open task. */
export type ProjectSearch = { view?: 'list'; task?: string }

export function projectSearch(raw: Record<string, unknown>): ProjectSearch {
  const task = String(raw.task ?? '')
  return { ...(raw.view === 'list' && { view: 'list' as const }), ...(isId(task) && { task }) }
}

export type ProjectStatus = (typeof projectStatuses)[number]

/** The list has one order. */
export const projectsShape: SearchShape = {
  sorts: [],
  defaultSort: '-created_at',
  lists: { status: isOneOf(projectStatuses) },
}

export function projectsSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(projectsShape, raw)
}
