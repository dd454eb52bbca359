import { Popover, TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'

const VALUES_MAX = 50

type Props = {
  label: string
  values: string[]
  single?: boolean
  set: (values: string[]) => void
  close: () => void
  children: ReactNode
}

/** A filter by typed exact values, such as a company or source. */
export function WordsFilter({ label, values, single = false, set, close, children }: Props) {
  return (
    <Popover opened onChange={opened => opened || close()} position="bottom-start" width={280} trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <TagsInput
          data-autofocus
          label={single ? label : `${label} is any of`}
          description={single ? 'Press Enter to apply' : 'Press Enter after each name'}
          value={values}
          onChange={set}
          maxTags={single ? 1 : VALUES_MAX}
          clearable
        />
      </Popover.Dropdown>
    </Popover>
  )
}
