import { Link } from '@tanstack/react-router'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import type { Home } from '#domains/home/contract.ts'
import { paths } from '../../paths.ts'
import { plural } from '../../ui/words.ts'
import { Panel } from './panel.tsx'
import classes from './home.module.css'

const kinds = [
  { key: 'jobs', to: paths.jobs, say: (amount: number) => `${plural(amount, 'job')} gave up` },
  {
    key: 'imports',
    to: paths.imports,
    say: (amount: number) => `${plural(amount, 'import')} failed or left rows out`,
  },
  {
    key: 'invitations',
    to: paths.members,
    say: (amount: number) => `${plural(amount, 'invitation')} could not be sent`,
  },
] as const

/** What went wrong and waits for a person. Each line leads to where it can be mended. */
export function Failures({ failures }: { failures: Home['failures'] | undefined }) {
  const shown = failures && kinds.filter(({ key }) => failures[key] > 0)
  return (
    <Panel title="Needs a person" rows={1}>
      {failures &&
        shown &&
        (shown.length === 0 ? (
          <p className={classes.calm}>
            <IconCircleCheck size={16} aria-hidden /> Nothing has failed.
          </p>
        ) : (
          <ul className={classes.list}>
            {shown.map(({ key, to, say }) => (
              <li key={key} className={classes.line}>
                <Link to={to} className={classes.failure}>
                  <IconAlertTriangle size={16} aria-hidden />
                  {say(failures[key])}
                </Link>
              </li>
            ))}
          </ul>
        ))}
    </Panel>
  )
}
