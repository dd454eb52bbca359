import { useNavigate } from '@tanstack/react-router'
import type { View } from '#domains/views/contract.ts'
import { paths } from '../../paths.ts'
import { ViewBar as Bar } from '../../ui/record-list/view-bar.tsx'
import type { Column } from './columns.ts'
import { filterText, fromFilterText, type LeadsSearch } from '../../records/leads/search.ts'

type Props = { search: LeadsSearch; view: View | undefined; columns: Column[]; columnsChanged: boolean }

export function ViewBar({ search, view, columns, columnsChanged }: Props) {
  const navigate = useNavigate()
  return (
    <Bar
      kind="leads"
      view={view}
      text={filterText(search)}
      tidied={query => filterText(fromFilterText(query))}
      trashed={search.trashed === true}
      columns={columns}
      columnsChanged={columnsChanged}
      show={(query, id) =>
        void navigate({ to: paths.leads, search: { ...fromFilterText(query), ...(id && { view: id }) } })
      }
    />
  )
}
