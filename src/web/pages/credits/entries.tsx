import { Link } from '@tanstack/react-router'
import type { CreditEntry } from '#domains/credits/contract.ts'
import { paths } from '../../paths.ts'
import { useMembers } from '../../queries.ts'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { whoInWords, type ActorKind } from '../../records/audit/words.ts'
import { aboutInWords, invoiceOf, kindWords, purseWords } from './words.ts'
import table from '../../ui/table.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './credits.module.css'

export function Entries({ entries }: { entries: CreditEntry[] }) {
  const members = useMembers()
  const nameOf = (id: string | null) => members.find(member => member.id === id)?.name ?? null
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div className={table.wrap} role="region" aria-label="Ledger" tabIndex={0}>
      <table className={`${table.table} ${classes.ledger}`}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Description</th>
            <th scope="col" className={classes.number}>
              Credits
            </th>
            <th scope="col" className={classes.number}>
              Balance
            </th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(entry => (
            <tr key={entry.id}>
              <td className={table.when}>
                <Time at={entry.created_at} />
              </td>
              <td>
                <What entry={entry} />
              </td>
              <td className={classes.number} data-plus={entry.amount > 0 || undefined}>
                {entry.amount > 0 && '+'}
                {count(entry.amount).replace('-', '−')}
              </td>
              <td className={classes.number}>{count(entry.balance)}</td>
              <td className={textClasses.dim}>
                {whoInWords({
                  kind: entry.actor.kind as ActorKind,
                  id: entry.actor.id,
                  name: nameOf(entry.actor.id),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function What({ entry }: { entry: CreditEntry }) {
  const about = aboutInWords(entry)
  const invoice = invoiceOf(entry)
  const ofPurse = entry.kind === 'use' || entry.kind === 'refund'
  return (
    <>
      <span className={table.strong}>{kindWords[entry.kind]}</span>
      {ofPurse && <span className={textClasses.dim}> {purseWords[entry.purse]}</span>}
      {about && (
        <span className={classes.about}>
          {invoice ? <Link to={paths.invoice(invoice)}>{about}</Link> : about}
        </span>
      )}
    </>
  )
}
