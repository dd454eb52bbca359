import { Link } from '@tanstack/react-router'
import IconAlertTriangle from 'icon:alert-triangle'
import IconCircleCheck from 'icon:circle-check'
import type { Home } from '#domains/home/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { dayAgo } from '../../ui/day.ts'
import { plural } from '../../ui/words.ts'
import { Panel } from './panel.tsx'
import classes from './home.module.css'

/** As far back as the server looks. */
const RUNS_DAYS = 7

const kinds = [
  { key: 'jobs', to: paths.jobs, say: (amount: number) => `${plural(amount, 'job')} failed` },
  {
    key: 'imports',
    to: paths.imports,
    say: (amount: number) => `${plural(amount, 'import')} failed or skipped rows`,
  },
  {
    key: 'invitations',
    to: paths.members,
    say: (amount: number) => `${plural(amount, 'invitation')} could not be sent`,
  },
  {
    key: 'messages',
    to: paths.outbox,
    say: (amount: number) => `${plural(amount, 'message')} to leads may not have been sent`,
  },
  {
    key: 'payments',
    to: paths.invoices,
    say: (amount: number) => `${plural(amount, 'payment')} to resolve`,
  },
] as const

/** Filters for pages that also show what did not fail. */
const searches: Partial<Record<string, Record<string, string | true>>> = {
  messages: { show: 'failed' },
  payments: { issue: true },
}

/** Failures that need a person. Each line links to where they can be fixed. */
export function Failures({ failures }: { failures: Home['failures'] | undefined }) {
  const shown = failures && kinds.filter(({ key }) => failures[key] > 0)
  return (
    <Panel title="Needs attention" rows={1}>
      {failures &&
        shown &&
        (shown.length === 0 && failures.workflows.length === 0 ? (
          <p className={classes.calm}>
            <IconCircleCheck size={16} aria-hidden /> Nothing needs attention.
          </p>
        ) : (
          <ul className={classes.list}>
            {shown.map(({ key, to, say }) => (
              <li key={key} className={classes.line}>
                <Link to={to} search={searches[key] ?? {}} className={classes.failure}>
                  <IconAlertTriangle size={16} aria-hidden />
                  {say(failures[key])}
                </Link>
              </li>
            ))}
            {failures.workflows.map(({ id, name, runs }) => (
              <li key={id} className={classes.line}>
                <Link
                  to={patterns.workflowRuns}
                  params={{ id }}
                  search={{ status: 'FAILED', from: dayAgo(RUNS_DAYS) }}
                  className={classes.failure}
                >
                  <IconAlertTriangle size={16} aria-hidden />
                  {plural(runs, 'run')} of {name} failed
                </Link>
              </li>
            ))}
          </ul>
        ))}
    </Panel>
  )
}
