import { ActionIcon, Menu } from '@mantine/core'
import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { DEFAULT_SORT, type LeadsSearch, type Sort } from './search.ts'

const orders: [sort: Sort, label: string][] = [
  ['-created_at', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['-last_activity_at', 'Last active first'],
  ['-updated_at', 'Last changed first'],
  ['last_name', 'By last name'],
  ['company', 'By company'],
  ['email', 'By e-mail'],
]

/** The cards have no heads to click on. */
export function SortMenu({ search, set }: { search: LeadsSearch; set: (next: LeadsSearch) => void }) {
  const now = search.sort ?? DEFAULT_SORT
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label="Sort" variant="default">
          <IconArrowsSort size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {orders.map(([sort, label]) => (
          <Menu.Item
            key={sort}
            fw={sort === now ? 600 : undefined}
            aria-current={sort === now || undefined}
            onClick={() => {
              const { sort: _sort, ...rest } = search
              set(sort === DEFAULT_SORT ? rest : { ...rest, sort })
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
