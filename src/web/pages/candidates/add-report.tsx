import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Added } from '#domains/candidates/contract.ts'
import { paths } from '../../paths.ts'
import { count, plural } from '../../ui/words.ts'
import classes from './add-dialog.module.css'

type Props = { told: Added; again: () => void; close: () => void }

/** The result of adding a list: how many were added, known, without credit or rejected. */
export function AddReport({ told, again, close }: Props) {
  const { added, known, without_credit, refused, refused_count } = told
  return (
    <div className={classes.form}>
      <div role="status" className={classes.report}>
        <p>
          <b>{added === 0 ? 'No candidates added.' : `${plural(added, 'candidate')} added.`}</b>{' '}
          {added === 1 && 'Its site is being crawled. Results appear in the list.'}
          {added > 1 && 'Their sites are being crawled. Results appear in the list.'}
        </p>
        {known > 0 && <p>{count(known)} already existed and cost nothing.</p>}
        {without_credit > 0 && (
          <p data-short>
            {count(without_credit)} skipped: no credits left. <Link to={paths.credits}>Get more credits</Link>
          </p>
        )}
        {refused_count > 0 && <p>{count(refused_count)} rejected:</p>}
      </div>
      {refused.length > 0 && (
        <>
          {/* A region that scrolls must be reachable by keyboard. */}
          <ul className={classes.refused} tabIndex={0} aria-label="Rejected">
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
