import { Button, TextInput } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useState, type FormEvent, type RefObject } from 'react'
import { useUser } from '../../queries.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { dueChoices, dueOn, type DueChoice } from '../../records/tasks/days.ts'
import { ANYONE, assigneeOf, NONE } from '../../records/tasks/search.ts'
import { addTask } from '../../records/tasks/task-writes.ts'
import classes from '../../records/tasks/tasks.module.css'
import textClasses from '../../ui/text.module.css'

const NO_DATE = 'no date'
const choices = [...dueChoices, NO_DATE] as const
const TITLE_LENGTH_MAX = 200

type Props = { search: ListSearch; field: RefObject<HTMLInputElement | null> }

/** One line for a new task. It takes its assignee, project and lead from the filters, so that it appears in the list. */
export function QuickAdd({ search, field }: Props) {
  const me = useUser().id
  const [due, setDue] = useState<DueChoice | typeof NO_DATE>('today')
  const { text, setText, submit } = useOutgoing({ send: add })

  function add(title: string) {
    const assignee = assigneeOf(search, me)
    const [project_id] = valuesOf(search, 'project_id')
    const [lead_id] = valuesOf(search, 'lead_id')
    return addTask({
      title,
      due_at: due === NO_DATE ? null : dueOn(due, Date.now()),
      assignee_id: assignee === NONE ? null : assignee === ANYONE ? me : assignee,
      ...(project_id && project_id !== NONE && { project_id }),
      ...(lead_id && { lead_id }),
    })
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    submit()
    // Ready to type the next one.
    field.current?.focus()
  }

  return (
    <form className={classes.add} onSubmit={onSubmit} aria-label="New task">
      <TextInput
        ref={field}
        className={classes.title}
        aria-label="Title of the new task"
        aria-keyshortcuts="n"
        placeholder="Add a task"
        leftSection={<IconPlus size={16} aria-hidden />}
        value={text}
        maxLength={TITLE_LENGTH_MAX}
        autoComplete="off"
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && field.current?.blur()}
      />
      <fieldset className={classes.choices}>
        <legend className={textClasses.hidden}>Due</legend>
        {choices.map(choice => (
          <label key={choice}>
            <input
              type="radio"
              name="due"
              value={choice}
              checked={due === choice}
              onChange={() => setDue(choice)}
            />
            <span>{choice.charAt(0).toUpperCase() + choice.slice(1)}</span>
          </label>
        ))}
      </fieldset>
      <Button type="submit">Add</Button>
    </form>
  )
}
