import { TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { useRef, type FormEvent } from 'react'
import { paths } from '../../paths.ts'
import { useCan, useUser } from '../../queries.ts'
import { Panel, PanelLine, PanelRecords } from '../../ui/panel.tsx'
import { Avatar } from '../../ui/person.tsx'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { usePeople } from '../../records/leads/people.ts'
import { Due } from '../../records/tasks/due.tsx'
import { ANYONE } from '../../records/tasks/search.ts'
import { addTask, checkOff } from '../../records/tasks/task-writes.ts'
import { openTasksQuery } from '../../records/tasks/tasks-cache.ts'
import classes from './lead-tasks.module.css'

const TITLE_LENGTH_MAX = 200

/** Open tasks of this lead, with assignee and due date. */
export function LeadTasks({ id }: { id: string }) {
  const canRead = useCan('projects:read')
  const canWrite = useCan('projects:write')
  const user = useUser()
  const people = usePeople()
  const of = { assignee_id: ANYONE, lead_id: id }
  const { data, isError } = useInfiniteQuery({ ...openTasksQuery(of, user.id), enabled: canRead })
  const tasks = data?.pages.flatMap(page => page.data).filter(({ status }) => status !== 'DONE')
  if (!canRead) return null
  return (
    <Panel title="Tasks" beside={tasks && tasks.length > 0 && `${tasks.length} open`}>
      <PanelRecords what="tasks" records={tasks} isError={isError} none={!canWrite && 'No open tasks.'}>
        {task => {
          const assignee = task.assignee_id && people.get(task.assignee_id)
          return (
            <PanelLine
              key={task.id}
              about={task.due_at && <Due at={task.due_at} />}
              mark={assignee && <Avatar name={assignee.name || assignee.email} id={assignee.id} />}
              before={
                <input
                  type="checkbox"
                  className={classes.check}
                  checked={false}
                  disabled={!canWrite}
                  aria-label={`Check off ${task.title}`}
                  onChange={() => void checkOff(task)}
                />
              }
            >
              <Link to={paths.tasks} search={{ ...of, task: task.id }} title={task.title}>
                {task.title}
              </Link>
            </PanelLine>
          )
        }}
      </PanelRecords>
      {canWrite && <Add lead_id={id} />}
    </Panel>
  )
}

/** One line for a new task, assigned to the person who adds it. */
function Add({ lead_id }: { lead_id: string }) {
  const assignee_id = useUser().id
  const { text, setText, submit } = useOutgoing({ send: title => addTask({ title, lead_id, assignee_id }) })
  const field = useRef<HTMLInputElement>(null)

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    submit()
  }

  return (
    <form className={classes.add} onSubmit={onSubmit} aria-label="New task">
      <TextInput
        ref={field}
        variant="unstyled"
        className={classes.title}
        aria-label="Title of the new task"
        placeholder="Add a task"
        leftSection={<IconPlus size={16} aria-hidden />}
        value={text}
        maxLength={TITLE_LENGTH_MAX}
        autoComplete="off"
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && field.current?.blur()}
      />
    </form>
  )
}
