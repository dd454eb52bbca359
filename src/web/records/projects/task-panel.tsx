import { Button, Drawer, Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { Task, TaskChange } from '#domains/projects/contract.ts'
import { taskStatuses, type TaskStatus } from '#domains/projects/values.ts'
import { patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan, useMembers } from '../../queries.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { LeadSelect } from '../record-select.tsx'
import { boardQuery } from './cache.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import { SavedInput } from '../../ui/saved-input.tsx'
import { statusWords } from './task-status.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './task-panel.module.css'
import { tasks } from '../tasks/store.ts'

const TITLE_LENGTH_MAX = 500
const DESCRIPTION_LENGTH_MAX = 20_000

const fieldWords: Partial<Record<keyof TaskChange, string>> = {
  due_at: 'due date',
  remind_at: 'reminder',
  assignee_id: 'assignee',
  lead_id: 'lead',
}

function changedWords({ title }: Task, change: TaskChange): string {
  const [field] = Object.keys(change) as (keyof TaskChange)[]
  return `Changed ${fieldWords[field!] ?? field} of ${title}`
}

/** One task in a drawer. Mounted means open. */
export function TaskPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery({ ...tasks.query(id), placeholderData: () => tasks.known(id) })
  const task = query.data
  const inTrash = isProblem(query.error, 404) && query.error.code === 'in_trash'
  return (
    <>
      <FocusBack />
      <Drawer
        opened
        onClose={onClose}
        position="right"
        size={420}
        title="Task"
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 120 }}
        overlayProps={{ backgroundOpacity: 0.25 }}
      >
        {inTrash ? (
          <InTrash id={id} refetch={() => void query.refetch()} />
        ) : task ? (
          <Fields key={id} task={task} close={onClose} />
        ) : query.error ? (
          <Fault error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Stack gap="lg" role="status" aria-label="Loading task">
            {[1, 2, 3, 4, 5].map(row => (
              <Bar key={row} width="100%" height={48} />
            ))}
          </Stack>
        )}
      </Drawer>
    </>
  )
}

function Fields({ task, close }: { task: Task; close: () => void }) {
  const canWrite = useCan('projects:write')
  const members = useMembers()
  const people = members.map(({ id, name, email }) => ({ value: id, label: name || email }))
  const [now] = useState(() => Date.now())
  const set = (change: TaskChange) => void tasks.change(task.id, change, changedWords(task, change))
  function setTime(field: 'due_at' | 'remind_at', text: string) {
    const at = fromLocalInput(text)
    if (at === undefined) return 'Enter a date and time'
    return set({ [field]: at })
  }
  const isLate = task.due_at !== null && task.status !== 'DONE' && Date.parse(task.due_at) < now
  return (
    <Stack gap="md">
      <SavedInput
        label="Title"
        value={task.title}
        canWrite={canWrite}
        maxLength={TITLE_LENGTH_MAX}
        save={text => (text.trim() ? set({ title: text.trim() }) : 'Title cannot be empty')}
      />
      <SavedInput
        label="Description"
        value={task.description ?? ''}
        canWrite={canWrite}
        rows={5}
        maxLength={DESCRIPTION_LENGTH_MAX}
        save={text => set({ description: text.trim() === '' ? null : text })}
      />
      <div className={fieldsClasses.pair}>
        <Select
          label="Status"
          data={taskStatuses.map(value => ({ value, label: statusWords[value] }))}
          value={task.status}
          allowDeselect={false}
          readOnly={!canWrite}
          onChange={status => status && set({ status: status as TaskStatus })}
        />
        <Select
          label="Assignee"
          placeholder="Unassigned"
          data={people}
          value={task.assignee_id}
          searchable={people.length > 8}
          clearable={canWrite}
          readOnly={!canWrite}
          clearButtonProps={{ 'aria-label': 'Clear assignee' }}
          onChange={assignee_id => set({ assignee_id })}
        />
        <div data-late={isLate || undefined} className={classes.due}>
          <SavedInput
            label={isLate ? 'Due (overdue)' : 'Due'}
            type="datetime-local"
            value={toLocalInput(task.due_at)}
            canWrite={canWrite}
            save={text => setTime('due_at', text)}
          />
        </div>
        <SavedInput
          label="Reminder"
          type="datetime-local"
          value={toLocalInput(task.remind_at)}
          canWrite={canWrite}
          save={text => setTime('remind_at', text)}
        />
      </div>
      <LeadSelect value={task.lead_id} set={lead_id => set({ lead_id })} readOnly={!canWrite} />
      <Links task={task} />
      <Group justify="space-between" mt="xs" gap="sm">
        <span className={textClasses.meta}>
          Created <Time at={task.created_at} />
          {task.done_at && (
            <>
              , done <Time at={task.done_at} />
            </>
          )}
        </span>
        {canWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} />}
            onClick={() => void tasks.trash(task).then(done => done && close())}
          >
            Move to trash
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Links({ task }: { task: Task }) {
  const board = useQuery({ ...boardQuery(task.project_id ?? ''), enabled: task.project_id !== null }).data
  if (!task.project_id && !task.lead_id) return null
  return (
    <p className={classes.links}>
      {task.project_id && (
        <Link to={patterns.project} params={{ id: task.project_id }}>
          {board ? `Project ${board.project.name}` : 'Open project'}
        </Link>
      )}
      {task.lead_id && (
        <Link to={patterns.lead} params={{ id: task.lead_id }} search={{}}>
          Open lead
        </Link>
      )}
    </p>
  )
}

function InTrash({ id, refetch }: { id: string; refetch: () => void }) {
  const canWrite = useCan('projects:write')
  const restore = () => tasks.restore(id).then(refetch)
  return (
    <Empty
      title="This task is in the trash"
      action={canWrite && <Button onClick={() => void restore()}>Restore</Button>}
    >
      It will be deleted permanently after 30 days.
    </Empty>
  )
}
