import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useUser } from '../../queries.ts'
import { useCommands } from '../../shell/commands.ts'
import { clearedFilters, isFiltered, type LeadsSearch } from '../../records/leads/search.ts'
import { selectAllMatching } from '../../records/leads/selection.ts'

/** Palette commands while the table is open. */
export function useLeadCommands(search: LeadsSearch): void {
  const navigate = useNavigate()
  const user = useUser()
  const show = (next: LeadsSearch) => void navigate({ to: paths.leads, search: next })
  useCommands([
    {
      id: 'my-leads',
      group: 'This page',
      label: 'Show only my leads',
      words: 'filter owner mine',
      run: () => show({ ...search, owner_id: [user.id] }),
    },
    {
      id: 'unowned-leads',
      group: 'This page',
      label: 'Show unassigned leads',
      words: 'filter nobody without owner',
      run: () => show({ ...search, owner_id: ['none'] }),
    },
    {
      id: 'select-all',
      group: 'This page',
      label: 'Select all matching leads',
      words: 'bulk',
      run: () => void selectAllMatching(search),
    },
    ...(isFiltered(search)
      ? [
          {
            id: 'clear',
            group: 'This page' as const,
            label: 'Clear filters',
            words: 'reset',
            run: () => show(clearedFilters(search)),
          },
        ]
      : []),
  ])
}
