import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent, RefObject } from 'react'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault } from '../../ui/toast.ts'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { addEntries } from '../../records/leads/timeline-cache.ts'
import classes from './note-composer.module.css'

const NOTE_LENGTH_MAX = 20_000

export function NoteComposer({ id, field }: { id: string; field: RefObject<HTMLTextAreaElement | null> }) {
  const { text, setText, submit, busy } = useOutgoing({ send: save, between: '\n\n' })

  async function save(words: string) {
    try {
      const entry = await api('POST /api/crm/leads/:id/notes', { params: { id }, body: { text: words } })
      for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: ['timeline', id] })) {
        const types = queryKey[2] as string[]
        if (types.length === 0 || types.includes(entry.type)) addEntries(queryKey, [entry])
      }
      return true
    } catch (error) {
      toastFault(error, "Couldn't save the note")
      return false
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    } else if (event.key === 'Escape') field.current?.blur()
  }

  return (
    <div className={classes.composer}>
      <Textarea
        ref={field}
        aria-label="Write a note"
        aria-keyshortcuts="m"
        placeholder="Write a note"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={NOTE_LENGTH_MAX}
        variant="unstyled"
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.foot}>
        <span className={classes.hint}>Ctrl+Enter to save</span>
        <Button size="xs" loading={busy} disabled={!text.trim()} onClick={submit}>
          Save note
        </Button>
      </div>
    </div>
  )
}
