import { Button, Textarea } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { inWords } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { Panel, PanelNote } from '../../ui/panel.tsx'
import { toastFault } from '../../ui/toast.ts'
import classes from './call-page.module.css'
import { calls } from '../../records/calls/store.ts'

const QUIET_MS = 800
const NOTES_LENGTH_MAX = 20_000

type Props = { call: Call; field: RefObject<HTMLTextAreaElement | null> }

export function Notes({ call, field }: Props) {
  if (useCan('voice:write')) return <Written call={call} field={field} />
  return (
    <Panel title="Notes">
      <PanelNote>{call.notes ?? 'No notes.'}</PanelNote>
    </Panel>
  )
}

/** Saved automatically shortly after typing stops. */
function Written({ call, field }: Props) {
  const saved = call.notes ?? ''
  const [text, setText] = useState(saved)
  const [saving, setSaving] = useState<'saved' | 'typed' | 'saving' | 'failed'>('saved')
  const [fault, setFault] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(saved)
  const kept = useRef(saved)

  useEffect(() => {
    // Shows what others wrote, unless there are unsaved edits here.
    if (latest.current !== kept.current) return
    latest.current = kept.current = saved
    setText(saved)
  }, [saved])

  async function save(): Promise<boolean> {
    clearTimeout(timer.current)
    const words = latest.current
    if (words === kept.current) return true
    setSaving('saving')
    try {
      await calls.save(call.id, { notes: words.trim() ? words : null })
      kept.current = words
      if (latest.current === words) setSaving('saved')
      return true
    } catch (error) {
      setFault(inWords(error))
      setSaving('failed')
      return false
    }
  }

  const leave = useEffectEvent(() => {
    const isUnsaved = latest.current !== kept.current
    clearTimeout(timer.current)
    if (isUnsaved)
      void calls
        .save(call.id, { notes: latest.current.trim() ? latest.current : null })
        .catch(error => toastFault(error, "Couldn't save the notes"))
  })
  useEffect(() => () => leave(), [])

  function type(words: string) {
    setText(words)
    latest.current = words
    setSaving('typed')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), QUIET_MS)
  }

  return (
    <Panel
      title="Notes"
      beside={
        <span role="status">{{ saved: '', typed: '', saving: 'Saving…', failed: 'Not saved' }[saving]}</span>
      }
    >
      <div className={classes.notes}>
        <Textarea
          ref={field}
          aria-label="Notes"
          aria-keyshortcuts="m"
          placeholder="What others should know about this call"
          autosize
          minRows={3}
          maxRows={14}
          maxLength={NOTES_LENGTH_MAX}
          value={text}
          onChange={event => type(event.currentTarget.value)}
          onBlur={() => void save()}
          onKeyDown={event => event.key === 'Escape' && field.current?.blur()}
        />
        {saving === 'failed' && (
          <p className={classes.fault} role="alert">
            {fault}
            <Button size="xs" variant="default" onClick={() => void save()}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </Panel>
  )
}
