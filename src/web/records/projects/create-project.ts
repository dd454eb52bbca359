import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault } from '../../ui/toast.ts'
import { projectOfQuery } from './of-opportunity.ts'

/** Creates a project from a won deal and opens it; opens the existing one if there is one. */
export function useCreateProject(): (opportunity_id: string) => Promise<void> {
  const navigate = useNavigate()
  return async opportunity_id => {
    try {
      const { id } = await projectOf(opportunity_id)
      void queryClient.invalidateQueries({ queryKey: cacheKeys.projects })
      await navigate({ to: patterns.project, params: { id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't create the project")
    }
  }
}

async function projectOf(opportunity_id: string): Promise<{ id: string }> {
  try {
    return await api('POST /api/crm/projects', { body: { opportunity_id } })
  } catch (error) {
    if (!isProblem(error) || error.code !== 'project_exists') throw error
    const known = await queryClient.fetchQuery({ ...projectOfQuery(opportunity_id), staleTime: 0 })
    if (!known) throw error
    return known
  }
}
