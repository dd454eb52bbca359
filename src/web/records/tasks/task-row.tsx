import { ActionIcon, Menu } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconAlarmSnooze from 'icon:alarm-snooze'
import IconListCheck from 'icon:list-check'
import IconUser from 'icon:user'
import type { ChangeEvent, ReactNode } from 'react'
import type { Task } from '#domains/projects/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Avatar } from '../../ui/person.tsx'
import { leadName } from '../leads/fields.ts'
import type { People } from '../leads/plain-value.ts'
import { Due } from './due.tsx'
import { checkOff, reopen, snooze } from './task-writes.ts'
import { projectNamesQuery } from './tasks-cache.ts'
import textClasses from '../../ui/text.module.css'
import classes from './tasks.module.css'
import { leads } from '../leads/store.ts'

type Props = {
  task: Task
  /** The title, as a link that opens the task. */
  children: ReactNode
  people: People
  /** Show the assignee, where it differs between rows. */
  withAssignee?: boolean
  late?: boolean
}

export function TaskRow({ task, children, people, withAssignee = false, late = false }: Props) {
  const canWrite = useCan('projects:write')
  const isDone = task.status === 'DONE'
  const assignee = withAssignee && task.assignee_id ? people.get(task.assignee_id) : undefined

  function check(event: ChangeEvent<HTMLInputElement>) {
    keepPlace(event.currentTarget)
    void (isDone ? reopen(task) : checkOff(task))
  }

  return (
    <li className={classes.row} data-done={isDone || undefined}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isDone}
          disabled={!canWrite}
          aria-label={isDone ? `Reopen ${task.title}` : `Check off ${task.title}`}
          onChange={check}
          data-check
        />
      </label>
      <span className={classes.what}>
        {children}
        <span className={classes.about}>
          {task.due_at && !isDone && (
            <span className={classes.due} data-late={late || undefined}>
              {late && 'Due '}
              <Due at={task.due_at} />
            </span>
          )}
          {task.status === 'DOING' && <span className={classes.doing}>In progress</span>}
          {task.project_id && <ProjectLink id={task.project_id} />}
          {task.lead_id && <LeadLink id={task.lead_id} />}
        </span>
      </span>
      {assignee && (
        <span title={assignee.name || assignee.email}>
          <Avatar name={assignee.name || assignee.email} id={assignee.id} />
        </span>
      )}
      {canWrite && !isDone && <Snooze task={task} />}
    </li>
  )
}

function Snooze({ task }: { task: Task }) {
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon aria-label={`Snooze ${task.title}`} title="Snooze" className={classes.snooze}>
          <IconAlarmSnooze size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void snooze(task, 'tomorrow')}>Tomorrow</Menu.Item>
        <Menu.Item onClick={() => void snooze(task, 'next week')}>Next week</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ProjectLink({ id }: { id: string }) {
  const name = useQuery(projectNamesQuery).data?.find(project => project.id === id)?.name
  return (
    <Link
      to={patterns.project}
      params={{ id }}
      className={`${textClasses.quiet} ${classes.link}`}
      title={name}
    >
      <IconListCheck size={14} aria-hidden />
      <span>{name ?? 'Project'}</span>
    </Link>
  )
}

/** Tasks only hold the id of their lead. Names are loaded for visible rows only. */
function LeadLink({ id }: { id: string }) {
  const { ref, inViewport } = useInViewport<HTMLAnchorElement>()
  const lead = useQuery({ ...leads.query(id), enabled: inViewport, retry: false }).data
  return (
    <Link
      ref={ref}
      to={patterns.lead}
      params={{ id }}
      search={{}}
      className={`${textClasses.quiet} ${classes.link}`}
      title={lead && leadName(lead)}
    >
      <IconUser size={14} aria-hidden />
      <span>{lead ? leadName(lead) : 'Lead'}</span>
    </Link>
  )
}

/** The row is about to leave its list, so the focus moves to the next one. */
function keepPlace(checkbox: HTMLInputElement): void {
  if (!checkbox.matches(':focus-visible')) return
  const all = [...document.querySelectorAll<HTMLInputElement>('main input[data-check]')]
  const at = all.indexOf(checkbox)
  const next = all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('main h1')
  next?.focus()
}
