import { Popover, TagsInput, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'

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
        {single ? (
          <OneValue label={label} value={values[0] ?? ''} set={value => set(value ? [value] : [])} />
        ) : (
          <TagsInput
            data-autofocus
            label={`${label} is any of`}
            description="Press Enter after each name"
            value={values}
            onChange={set}
            maxTags={VALUES_MAX}
            clearable
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function OneValue({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  const [text, setText] = useState(value)
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    set(text.trim())
  }
  return (
    <form onSubmit={onSubmit}>
      <TextInput
        data-autofocus
        label={label}
        description="Press Enter to apply"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
    </form>
  )
}
