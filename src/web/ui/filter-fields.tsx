import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import filtersClasses from './filters.module.css'

const QUIET_MS = 250

type Item = { value: string; label: string }
type ChoiceProps = {
  label: string
  /** What is shown while nothing is chosen. */
  any: string
  data: (Item | { group: string; items: Item[] })[]
  value: string | undefined
  set: (value: string | undefined) => void
}

/** The browser's own list: it opens at once, knows every keyboard and phone, and brings nothing along. */
export function Choice({ label, any, data, value, set }: ChoiceProps) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      data={[{ value: '', label: any }, ...data]}
      value={value ?? ''}
      className={filtersClasses.choice}
      onChange={event => set(event.currentTarget.value || undefined)}
    />
  )
}

type WordsProps = {
  label: string
  placeholder: string
  value: string | undefined
  maxLength: number
  set: (value: string | undefined) => void
}

/** What is typed becomes the filter once the typing rests. */
export function Words({ label, placeholder, value, maxLength, set }: WordsProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value ?? '')
  const put = useDebouncedCallback((next: string) => set(next.trim() || undefined), QUIET_MS)
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value ?? '')
  }, [value])
  return (
    <TextInput
      ref={field}
      size="xs"
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={maxLength}
      spellCheck={false}
      className={filtersClasses.words}
      onChange={event => {
        setText(event.currentTarget.value)
        put(event.currentTarget.value)
      }}
    />
  )
}
