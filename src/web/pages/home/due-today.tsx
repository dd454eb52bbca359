import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Home } from '#domains/home/contract.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../queries.ts'
import { useNow } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { usePeople } from '../../records/leads/people.ts'
import { TaskRow } from '../../records/tasks/task-row.tsx'
import { dueTasksQuery } from '../../records/tasks/tasks-cache.ts'
import { Panel } from './panel.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './home.module.css'

const SHOWN_MAX = 5

type Props = { home: Home | undefined; until: string }

/** Tasks that are overdue or due today, with their counts. */
export function DueToday({ home, until }: Props) {
  const me = useUser().id
  const now = useNow()
  const people = usePeople()
  const query = useInfiniteQuery(dueTasksQuery(me, until, SHOWN_MAX))
  const tasks = query.data?.pages.flatMap(page => page.data).filter(task => task.status !== 'DONE')
  const total = home && home.tasks.overdue + home.tasks.today
  return (
    <Panel title="Your tasks" rows={SHOWN_MAX} aside={home && <Counts tasks={home.tasks} />}>
      {tasks &&
        home &&
        (tasks.length === 0 ? (
          <p className={classes.calm}>Nothing due today.</p>
        ) : (
          <>
            <ul className={classes.list}>
              {tasks.map(task => (
                <TaskRow
                  key={task.id}
                  task={task}
                  people={people}
                  late={task.due_at !== null && Date.parse(task.due_at) < now}
                >
                  <Link
                    to={paths.tasks}
                    search={{ task: task.id }}
                    className={`${textClasses.quiet} ${classes.name}`}
                  >
                    {task.title}
                  </Link>
                </TaskRow>
              ))}
            </ul>
            {total !== undefined && total > tasks.length && (
              <Link to={paths.tasks} className={classes.more}>
                {count(total - tasks.length)} more
              </Link>
            )}
          </>
        ))}
    </Panel>
  )
}

function Counts({ tasks: { overdue, today } }: Pick<Home, 'tasks'>) {
  return (
    <span className={classes.counts}>
      {overdue > 0 && (
        <Link to={paths.tasks} className={classes.number} data-late>
          {count(overdue)} overdue
        </Link>
      )}
      <Link to={paths.tasks} className={classes.number}>
        {count(today)} due today
      </Link>
    </span>
  )
}
