import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Added } from '#domains/candidates/contract.ts'
import { paths } from '../../paths.ts'
import { count, plural } from '../../ui/words.ts'
import classes from './add-dialog.module.css'

type Props = { told: Added; again: () => void; close: () => void }

/** What became of a list, in words: what was added, was known, had no credit, or is no site. */
export function AddReport({ told, again, close }: Props) {
  const { added, known, without_credit, refused, refused_count } = told
  return (
    <div className={classes.form}>
      <div role="status" className={classes.report}>
        <p>
          <b>{added === 0 ? 'Nothing was added.' : `${plural(added, 'candidate')} added.`}</b>{' '}
          {added === 1 && 'Its site is read now; what it says appears in the list.'}
          {added > 1 && 'Their sites are read now; what they say appears in the list.'}
        </p>
        {known > 0 && (
          <p>
            {known === 1 ? 'One was known already' : `${count(known)} were known already`}, and cost nothing.
          </p>
        )}
        {without_credit > 0 && (
          <p data-short>
            {without_credit === 1 ? 'One was' : `${count(without_credit)} were`} left out: there were no
            credits left. <Link to={paths.credits}>Get more credits</Link>
          </p>
        )}
        {refused_count > 0 && (
          <p>{refused_count === 1 ? 'One was refused:' : `${count(refused_count)} were refused:`}</p>
        )}
      </div>
      {refused.length > 0 && (
        <>
          {/* A region that scrolls must be reachable by keyboard. */}
          <ul className={classes.refused} tabIndex={0} aria-label="What was refused">
            {refused.map(({ address, why }) => (
              <li key={address}>
                <b>{address}</b> {why}
              </li>
            ))}
          </ul>
          {refused_count > refused.length && <p>And {count(refused_count - refused.length)} more.</p>}
        </>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={again}>
          Add more
        </Button>
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </div>
  )
}
