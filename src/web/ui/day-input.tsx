import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isDay } from './day.ts'

type Props = {
  label: string
  day: string | undefined
  set: (day: string | undefined) => void
  className?: string | undefined
}

/** The filter changes only once the typed date is complete; what is being typed stays. */
export function DayInput({ label, day, set, className }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(day ?? '')
  useEffect(() => {
    if (document.activeElement !== field.current) setText(day ?? '')
  }, [day])
  return (
    <TextInput
      ref={field}
      size="xs"
      type="date"
      label={label}
      value={text}
      {...(className && { className })}
      onChange={event => {
        const next = event.target.value
        setText(next)
        if (next === '' || isDay(next)) set(next || undefined)
      }}
    />
  )
}
