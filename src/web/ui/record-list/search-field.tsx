import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from 'icon:search'
import IconX from 'icon:x'
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import classes from './filter-bar.module.css'

const QUIET_MS = 220

type Props = {
  label: string
  q: string | undefined
  set: (q: string | undefined) => void
  field: RefObject<HTMLInputElement | null>
}

/** Searches while typing, debounced; arrow down moves into the table. */
export function SearchField({ label, q = '', set, field }: Props) {
  const [text, setText] = useState(q)
  const apply = useDebouncedCallback((next: string) => set(next.trim() || undefined), QUIET_MS)
  useEffect(() => {
    // Follow URL changes, such as a view or going back, but not while typing.
    if (document.activeElement !== field.current) setText(q)
  }, [q, field])

  function type(next: string) {
    setText(next)
    apply(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && text) type('')
    else if (event.key === 'Escape') field.current?.blur()
    else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      document.querySelector<HTMLElement>('[role="grid"]')?.focus()
    }
  }

  return (
    <TextInput
      ref={field}
      size="xs"
      className={classes.search}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        text ? (
          <ActionIcon size="sm" aria-label="Clear search" onClick={() => type('')}>
            <IconX size={14} />
          </ActionIcon>
        ) : (
          <kbd className={classes.key}>/</kbd>
        )
      }
      rightSectionPointerEvents={text ? 'all' : 'none'}
      value={text}
      maxLength={200}
      onChange={event => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
