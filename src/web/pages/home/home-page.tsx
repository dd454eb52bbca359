import { useQuery } from '@tanstack/react-query'
import type { Home } from '#domains/home/contract.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Fault } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { endOfDay } from '../../records/tasks/days.ts'
import { DueToday } from './due-today.tsx'
import { Failures } from './failures.tsx'
import { Forecast } from './forecast.tsx'
import { homeQuery } from './home-query.ts'
import { Replies } from './replies.tsx'
import { Deals, Funnel } from './stages.tsx'
import { Welcome } from './welcome.tsx'
import pageClasses from '../../ui/page.module.css'
import classes from './home.module.css'

/** The first thing in the morning. Every number opens the list behind it. */
export function HomePage() {
  useTitle('Home')
  const until = endOfDay(useNow())
  const query = useQuery(homeQuery(until))
  const home = query.data
  return (
    <>
      <PageHead title="Home" />
      <div className={`${pageClasses.scroll} ${classes.ground}`}>
        {query.isError && !home ? (
          <Fault error={query.error} retry={() => void query.refetch()} />
        ) : (
          <div className={classes.body}>
            {home && isNew(home) && <Welcome />}
            <div className={classes.day}>
              <DueToday home={home} until={until} />
              <div className={classes.side}>
                <Replies replies={home?.replies} />
                <Failures failures={home?.failures} />
              </div>
            </div>
            {!(home && isNew(home)) && (
              <div className={classes.figures}>
                <Funnel columns={home?.funnel} />
                <div className={classes.side}>
                  <Deals columns={home?.deals} />
                  <Forecast months={home?.forecast} />
                </div>
              </div>
            )}
          </div>
        )}
      </div>
    </>
  )
}

function isNew({ funnel, deals }: Home): boolean {
  return [...funnel, ...deals].every(({ count }) => count === 0)
}
