import type { Column, NewProject, Project, ProjectBoard, ProjectChange } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { hear } from '../../writes/latest.ts'
import { release, reserve } from '../../writes/pending.ts'
import { boardQuery, knownProject } from './cache.ts'

export async function createProject(body: NewProject): Promise<Project> {
  const project = await api('POST /api/crm/projects', { body })
  refreshProjects()
  return project
}

/**
 * Shows the change at once, and takes it back when the server refuses. The columns are written as a whole: a change that
 * somebody else made to them meanwhile must not be lost.
 */
export async function changeProject(
  project: Project,
  change: ProjectChange,
  say: string | null,
): Promise<boolean> {
  const fields = Object.keys(change)
  const before = Object.fromEntries(fields.map(key => [key, project[key as keyof Project]])) as ProjectChange
  reserve(project.id, fields)
  patch(project.id, change)
  try {
    const saved = await inTurn(project.id, () =>
      api('PATCH /api/crm/projects/:id', {
        params: { id: project.id },
        body: change,
        ...(change.columns && { ifMatch: (knownProject(project.id) ?? project).updated_at }),
      }),
    )
    hear(project.id, saved)
    patch(project.id, saved)
    if (say) toastWithUndo(say, () => changeProject(saved, before, null))
    return true
  } catch (error) {
    patch(project.id, before)
    if (isProblem(error, 412))
      toast('Somebody changed this project meanwhile. Try again with what is shown now.')
    else toastFault(error, 'Not saved')
    return false
  } finally {
    release(project.id, fields)
    refreshProjects()
  }
}

export function changeColumns(project: Project, columns: Column[], say: string | null): Promise<boolean> {
  return changeProject(project, { columns }, say)
}

export async function trashProject(project: Project): Promise<boolean> {
  try {
    await api('DELETE /api/crm/projects/:id', { params: { id: project.id } })
    refreshProjects()
    toastWithUndo(`Moved ${project.name} and its tasks to the trash`, () => restoreProject(project.id))
    return true
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
    return false
  }
}

export async function restoreProject(id: string): Promise<void> {
  await api('POST /api/crm/projects/:id/restore', { params: { id } })
  await queryClient.resetQueries(boardQuery(id))
  refreshProjects()
}

/** A key that no other column of the project has, made of the name as far as it goes. */
export function columnKey(name: string, taken: readonly Column[]): string {
  const stem =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 30) || 'column'
  for (let number = 1; ; number++) {
    const key = number === 1 ? stem : `${stem}_${number}`
    if (!taken.some(column => column.key === key)) return key
  }
}

export function refreshProjects(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.projects })
}

function patch(id: string, fields: Partial<Project>): void {
  queryClient.setQueryData<ProjectBoard>(
    boardQuery(id).queryKey,
    board => board && { ...board, project: { ...board.project, ...fields } },
  )
}
