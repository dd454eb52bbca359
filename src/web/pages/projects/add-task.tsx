import { Button, Group, Textarea } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { Column, Project } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { toastFault } from '../../ui/toast.ts'
import { holdBoards, putTask } from './cache.ts'
import { refreshTasks } from './task-writes.ts'

const TITLE_LENGTH_MAX = 500

/** Stays open after each card: one writes several in a row, and Escape ends it. */
export function AddTask({ project, column }: { project: Project; column: Column }) {
  const [title, setTitle] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  async function add() {
    const wanted = title?.trim().replaceAll(/\s+/g, ' ')
    if (!wanted || busy) return
    setBusy(true)
    try {
      const body = { title: wanted, project_id: project.id, column: column.key }
      const task = await api('POST /api/crm/tasks', { body })
      await holdBoards()
      putTask(task)
      setTitle('')
      refreshTasks()
    } catch (error) {
      toastFault(error, 'The task was not added')
    } finally {
      setBusy(false)
    }
  }

  function stop() {
    setTitle(null)
    requestAnimationFrame(() => button.current?.focus())
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      stop()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void add()
    }
  }

  if (title === null) {
    return (
      <Button
        ref={button}
        size="xs"
        variant="subtle"
        color="gray"
        fullWidth
        justify="flex-start"
        leftSection={<IconPlus size={14} />}
        aria-label={`Add a task to ${column.name}`}
        onClick={() => setTitle('')}
      >
        Add a task
      </Button>
    )
  }
  return (
    <>
      <Textarea
        autoFocus
        rows={2}
        aria-label={`Title of the new task in ${column.name}`}
        placeholder="What is to be done?"
        value={title}
        maxLength={TITLE_LENGTH_MAX}
        onChange={event => setTitle(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap={6} mt={6}>
        <Button size="xs" loading={busy} onClick={() => void add()}>
          Add
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={stop}>
          Close
        </Button>
      </Group>
    </>
  )
}
