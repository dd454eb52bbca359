import IconAlignLeft from 'icon:align-left'
import IconCalendarDue from 'icon:calendar-due'
import type { Task } from '#domains/projects/contract.ts'
import { Avatar } from '../../ui/person.tsx'
import { exactly, relatively, useNow } from '../../ui/time.tsx'
import type { People } from '../../records/leads/plain-value.ts'
import textClasses from '../../ui/text.module.css'
import faceClasses from '../../ui/board/face.module.css'
import classes from './task-face.module.css'

const LINE_PX = 20
const ABOUT_PX = 24
const AROUND_PX = 28
/** Characters per line beside the card menu. */
const LINE_LETTERS = 33

/** The content of a task card. */
export function TaskFace({ task, people }: { task: Task; people: People }) {
  const assignee = task.assignee_id ? people.get(task.assignee_id) : undefined
  return (
    <>
      <span
        className={`${faceClasses.title} ${classes.title}`}
        data-lines={linesOf(task)}
        data-done={task.status === 'DONE' || undefined}
      >
        {task.title}
      </span>
      {hasAbout(task) && (
        <span className={faceClasses.line}>
          {task.due_at && <Due task={task} />}
          {task.description && <IconAlignLeft size={14} role="img" aria-label="Has a description" />}
          {task.assignee_id && (
            <span className={faceClasses.person} title={nameOf(assignee)}>
              <Avatar name={nameOf(assignee)} id={task.assignee_id} />
              <span className={textClasses.hidden}>{nameOf(assignee)}</span>
            </span>
          )}
        </span>
      )}
    </>
  )
}

/** Card height, computed without rendering. */
export function taskHeight(task: Task): number {
  return AROUND_PX + LINE_PX * linesOf(task) + (hasAbout(task) ? ABOUT_PX : 0)
}

export function Due({ task }: { task: Pick<Task, 'due_at' | 'status'> }) {
  const now = useNow()
  if (!task.due_at) return null
  const at = Date.parse(task.due_at)
  const late = at < now && task.status !== 'DONE'
  return (
    <time
      className={classes.due}
      data-late={late || undefined}
      dateTime={task.due_at}
      title={exactly(task.due_at)}
    >
      <IconCalendarDue size={14} aria-hidden />
      {late && <span className={textClasses.hidden}>Overdue:</span>}
      {relatively(at, now)}
    </time>
  )
}

function linesOf({ title }: Task): 1 | 2 {
  return title.length > LINE_LETTERS ? 2 : 1
}

function hasAbout({ due_at, assignee_id, description }: Task): boolean {
  return due_at !== null || assignee_id !== null || description !== null
}

function nameOf(person: { name: string; email: string } | undefined): string {
  return person?.name || person?.email || 'Former member'
}
