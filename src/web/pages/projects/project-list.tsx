import type { ProjectBoard, Task } from '#domains/projects/contract.ts'
import { Person } from '../../ui/person.tsx'
import { Empty } from '../../ui/states.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { Due } from './task-face.tsx'
import textClasses from '../../ui/text.module.css'
import pageClasses from '../../ui/page.module.css'
import classes from './project-page.module.css'
import table from '../../ui/table.module.css'

/** The tasks as a table, by due date. */
export function ProjectList({ board, open }: { board: ProjectBoard; open: (task: Task) => void }) {
  const people = usePeople()
  const { columns } = board.project
  const tasks = board.tasks.toSorted(byDue)
  if (tasks.length === 0) {
    return <Empty title="No tasks yet">Add the first one on the board.</Empty>
  }
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={pageClasses.list} role="region" aria-label="Tasks" tabIndex={0}>
      <div className={table.wrap}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Column</th>
              <th scope="col">Due</th>
              <th scope="col">Assignee</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map(task => {
              const assignee = task.assignee_id ? people.get(task.assignee_id) : undefined
              return (
                <tr key={task.id}>
                  <td className={classes.titleCell}>
                    <button
                      type="button"
                      className={classes.taskLink}
                      data-done={task.status === 'DONE' || undefined}
                      onClick={() => open(task)}
                    >
                      {task.title}
                    </button>
                  </td>
                  <td>
                    <Dotted tone={tones[task.status]}>
                      {columns.find(({ key }) => key === task.column)?.name ?? ''}
                    </Dotted>
                  </td>
                  <td>
                    {task.due_at ? <Due task={task} /> : <span className={textClasses.dim}>No date</span>}
                  </td>
                  <td>
                    {assignee ? (
                      <Person member={assignee} />
                    ) : (
                      <span className={textClasses.dim}>Unassigned</span>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const tones = { TODO: 'slate', DOING: 'blue', DONE: 'green' } as const

/** Done tasks last; tasks without a date after those with one. */
function byDue(a: Task, b: Task): number {
  return keyOf(a) < keyOf(b) ? -1 : 1
}

function keyOf({ status, due_at, id }: Task): string {
  return `${status === 'DONE' ? 1 : 0}${due_at ?? '9999'}${id}`
}
