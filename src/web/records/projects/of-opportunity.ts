import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

/** The project created from an opportunity, if any; not in the trash. */
export function projectOfQuery(opportunity_id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.projects, 'of', opportunity_id],
    queryFn: async ({ signal }) => {
      const query = { opportunity_id: [opportunity_id], limit: 1 }
      return (await api('GET /api/crm/projects', { query, signal })).data[0] ?? null
    },
  })
}
