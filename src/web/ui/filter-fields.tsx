import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import filtersClasses from './filters.module.css'

const QUIET_MS = 250

type Item = { value: string; label: string }
type ChoiceProps = {
  label: string
  /** Shown while nothing is selected. */
  any: string
  data: (Item | { group: string; items: Item[] })[]
  value: string | undefined
  set: (value: string | undefined) => void
}

/** The browser's own select: fast, works with every keyboard and phone, and needs no code. */
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

/** The text becomes the filter once typing pauses. */
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
