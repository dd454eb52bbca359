import { Button, Group, Textarea } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { Column, Project } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { toastFault } from '../../ui/toast.ts'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { holdBoards, putTask } from '../../records/projects/cache.ts'
import { tasks } from '../../records/tasks/store.ts'

const TITLE_LENGTH_MAX = 500

/** Stays open after each card, to add several in a row; Escape closes it. */
export function AddTask({ project, column }: { project: Project; column: Column }) {
  const [isOpen, setOpen] = useState(false)
  const { text, setText, submit, busy } = useOutgoing({ send: add })
  const button = useRef<HTMLButtonElement>(null)

  async function add(words: string) {
    try {
      const title = words.replaceAll(/\s+/g, ' ')
      const body = { title, project_id: project.id, column: column.key }
      const task = await api('POST /api/crm/tasks', { body })
      await holdBoards()
      putTask(task)
      tasks.refresh()
      return true
    } catch (error) {
      toastFault(error, "Couldn't add the task")
      setOpen(true)
      return false
    }
  }

  function stop() {
    setOpen(false)
    setText('')
    requestAnimationFrame(() => button.current?.focus())
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      stop()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    }
  }

  if (!isOpen) {
    return (
      <Button
        ref={button}
        size="xs"
        variant="subtle"
        color="gray"
        fullWidth
        justify="flex-start"
        leftSection={<IconPlus size={14} />}
        aria-label={`Add task to ${column.name}`}
        onClick={() => setOpen(true)}
      >
        Add task
      </Button>
    )
  }
  return (
    <>
      <Textarea
        autoFocus
        rows={2}
        aria-label={`New task in ${column.name}`}
        placeholder="Task title"
        value={text}
        maxLength={TITLE_LENGTH_MAX}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap={6} mt={6}>
        <Button size="xs" loading={busy} onClick={submit}>
          Add
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={stop}>
          Close
        </Button>
      </Group>
    </>
  )
}
