import { projectStatuses } from '#domains/projects/values.ts'

const ID = /^[0-9a-f]{24}$/

/** Search parameters of a project: board or list, and the open task. */
export type ProjectSearch = { view?: 'list'; task?: string }

export function projectSearch(raw: Record<string, unknown>): ProjectSearch {
  const task = String(raw.task ?? '')
  return { ...(raw.view === 'list' && { view: 'list' as const }), ...(ID.test(task) && { task }) }
}

export type ProjectStatus = (typeof projectStatuses)[number]
export type ProjectsSearch = { q?: string; status?: ProjectStatus; trashed?: true }

export function projectsSearch(raw: Record<string, unknown>): ProjectsSearch {
  const q = String(raw.q ?? '').slice(0, 200)
  const status = projectStatuses.find(each => each === raw.status)
  return { ...(q && { q }), ...(status && { status }), ...(raw.trashed === 'true' && { trashed: true }) }
}
