import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import IconSearch from 'icon:search'
import IconX from 'icon:x'
import { useEffect, useRef, useState } from 'react'
import { useKeys } from './keys.ts'
import pageClasses from './page.module.css'

const QUIET_MS = 220
const LENGTH_MAX = 200

type Props = { label: string; value: string; set: (text: string) => void }

/** A search field; the text goes into the URL once typing pauses. */
export function SearchField({ label, value, set }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const apply = useDebouncedCallback((next: string) => set(next.trim()), QUIET_MS)
  useKeys({ '/': () => field.current?.focus() })
  useEffect(() => {
    // Follow URL changes, such as going back, but not while typing.
    if (document.activeElement !== field.current) setText(value)
  }, [value])

  function type(next: string) {
    setText(next)
    apply(next)
  }

  return (
    <TextInput
      ref={field}
      size="xs"
      className={pageClasses.search}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        text && (
          <ActionIcon size="sm" aria-label="Clear search" onClick={() => type('')}>
            <IconX size={14} />
          </ActionIcon>
        )
      }
      value={text}
      maxLength={LENGTH_MAX}
      onChange={event => type(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        if (text) type('')
        else field.current?.blur()
      }}
    />
  )
}
