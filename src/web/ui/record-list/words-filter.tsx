import { Popover, TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  label: string
  values: string[]
  set: (values: string[]) => void
  close: () => void
  children: ReactNode
}

/** A filter by typed exact values, such as a company or source. */
export function WordsFilter({ label, values, set, close, children }: Props) {
  return (
    <Popover opened onChange={opened => opened || close()} position="bottom-start" width={280} trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <TagsInput
          data-autofocus
          label={`${label} is any of`}
          description="Press Enter after each name"
          value={values}
          onChange={set}
          maxTags={50}
          clearable
        />
      </Popover.Dropdown>
    </Popover>
  )
}
