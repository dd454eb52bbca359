import { ActionIcon } from '@mantine/core'
import IconArrowsSort from 'icon:arrows-sort'
import { ButtonMenu } from '../../ui/menu.tsx'
import { DEFAULT_SORT, type LeadsSearch, type Sort } from '../../records/leads/search.ts'

const orders: [sort: Sort, label: string][] = [
  ['-created_at', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['-last_activity_at', 'Recently active first'],
  ['-updated_at', 'Recently changed first'],
  ['last_name', 'By last name'],
  ['company', 'By company'],
  ['email', 'By email'],
]

/** For cards, which have no column heads. */
export function SortMenu({ search, set }: { search: LeadsSearch; set: (next: LeadsSearch) => void }) {
  const now = search.sort ?? DEFAULT_SORT
  return (
    <ButtonMenu
      button={
        <ActionIcon aria-label="Sort" variant="default">
          <IconArrowsSort size={16} />
        </ActionIcon>
      }
      items={orders.map(([sort, label]) => ({
        label,
        current: sort === now,
        run: () => {
          const { sort: _sort, ...rest } = search
          set(sort === DEFAULT_SORT ? rest : { ...rest, sort })
        },
      }))}
    />
  )
}
