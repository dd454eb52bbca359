import { Group, Popover, TextInput, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { spans, without } from './filters.ts'
import type { LeadsSearch } from './search.ts'
import classes from './filter-bar.module.css'

type Props = { search: LeadsSearch; set: (next: LeadsSearch) => void; close: () => void; children: ReactNode }

/** When a lead was created: a recent span, or from one day until another. */
export function SpanFilter({ search, set, close, children }: Props) {
  const { created_after: after, created_before: before } = search
  function put(next: { created_after?: string; created_before?: string }) {
    const given = Object.fromEntries(Object.entries(next).filter(([, day]) => day))
    set({ ...without(search, 'created'), ...given })
  }
  return (
    <Popover opened onChange={opened => opened || close()} position="bottom-start" width={300} trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <div className={classes.spans}>
          {spans.map(([value, label]) => (
            <UnstyledButton
              key={value}
              className={classes.span}
              aria-pressed={after === value && !before}
              onClick={() => {
                put({ created_after: value })
                close()
              }}
            >
              {label.charAt(0).toUpperCase() + label.slice(1)}
            </UnstyledButton>
          ))}
        </div>
        <Group grow gap="xs">
          <TextInput
            type="date"
            label="From"
            value={after?.startsWith('-') ? '' : (after ?? '')}
            onChange={event =>
              put({ created_after: event.currentTarget.value, ...(before && { created_before: before }) })
            }
          />
          <TextInput
            type="date"
            label="Until"
            value={before ?? ''}
            onChange={event =>
              put({ ...(after && { created_after: after }), created_before: event.currentTarget.value })
            }
          />
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
