import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isDay } from './day.ts'

type Props = {
  label: string
  day: string | undefined
  set: (day: string | undefined) => void
  /** Where the words beside it tell what it is. */
  hidesLabel?: boolean
  className?: string | undefined
}

/** The day changes only once the typed date is complete; what is being typed stays. */
export function DayInput({ label, day, set, hidesLabel = false, className }: Props) {
  const [text, setText] = useState(day ?? '')
  /** The day that this field knows of: another one was chosen elsewhere, such as by undo. */
  const known = useRef(day)
  useEffect(() => {
    if (day === known.current) return
    known.current = day
    setText(day ?? '')
  }, [day])
  return (
    <TextInput
      size="xs"
      type="date"
      {...(hidesLabel ? { 'aria-label': label } : { label })}
      value={text}
      {...(className && { className })}
      onChange={event => {
        const next = event.target.value
        setText(next)
        if (next !== '' && !isDay(next)) return
        known.current = next || undefined
        set(known.current)
      }}
    />
  )
}
