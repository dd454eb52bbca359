import { Link } from '@tanstack/react-router'
import type { Home } from '#domains/home/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { Panel } from './panel.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './home.module.css'

/** Recent replies: the people to write to first. */
export function Replies({ replies }: { replies: Home['replies'] | undefined }) {
  return (
    <Panel
      title="Replies"
      rows={1}
      aside={
        replies &&
        replies.count > 0 && (
          <Link to={paths.leads} search={{ sort: '-last_activity_at' }} className={classes.number}>
            {count(replies.count)} in 7 days
          </Link>
        )
      }
    >
      {replies &&
        (replies.latest.length === 0 ? (
          <p className={classes.calm}>No replies in the last 7 days.</p>
        ) : (
          <ul className={classes.list}>
            {replies.latest.map(({ id, lead_id, lead_name, at }) => (
              <li key={id} className={classes.line}>
                {lead_id ? (
                  <Link
                    to={patterns.lead}
                    params={{ id: lead_id }}
                    search={{}}
                    className={`${textClasses.quiet} ${classes.name}`}
                  >
                    {lead_name ?? 'Lead'}
                  </Link>
                ) : (
                  <span>{lead_name ?? 'Someone'}</span>
                )}
                <span className={classes.dim}>
                  <Time at={at} />
                </span>
              </li>
            ))}
          </ul>
        ))}
    </Panel>
  )
}
