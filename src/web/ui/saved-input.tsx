import { Textarea, TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'

type Props = {
  label: string
  /** The saved value. */
  value: string
  /** Saves, or returns an error message. */
  save: (text: string) => string | undefined | void
  canWrite: boolean
  type?: 'text' | 'datetime-local' | 'date'
  rows?: number
  maxLength?: number
  placeholder?: string
}

/** Saves on blur or Enter; Escape discards. Changes by others show unless one is typing. */
export function SavedInput({ label, value, save, canWrite, type = 'text', rows, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()

  function trySave() {
    if (typed === null) return
    const wrong = typed === value ? undefined : save(typed)
    setFault(wrong ?? undefined)
    if (!wrong) setTyped(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation()
      setTyped(null)
      setFault(undefined)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && (!rows || event.ctrlKey)) {
      event.preventDefault()
      trySave()
    }
  }

  const shared = {
    label,
    value: typed ?? value,
    error: fault,
    readOnly: !canWrite,
    onKeyDown,
    onBlur: trySave,
    ...rest,
  }
  if (rows) {
    return <Textarea {...shared} rows={rows} onChange={event => setTyped(event.currentTarget.value)} />
  }
  return <TextInput {...shared} type={type} onChange={event => setTyped(event.currentTarget.value)} />
}
