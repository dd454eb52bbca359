import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Entry } from '#domains/audit/contract.ts'
import { paths } from '../../paths.ts'
import { exactly } from '../../ui/time.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { detailsOf, isEmpty, nameInWords, simplyPut, type Change, type Row } from './details.ts'
import { aboutSubject, byActor } from './search.ts'
import { kindWords, whoInWords } from '../../records/audit/words.ts'
import textClasses from '../../ui/text.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './audit.module.css'

/** Everything recorded: changes, other values, and links to related events. */
export function Details({ entry }: { entry: Entry }) {
  const { type, actor, subject, data } = entry
  const { changes, rows } = detailsOf(type, data)
  return (
    <div className={classes.details}>
      {changes.length > 0 && <Changes changes={changes} />}
      {rows.length > 0 && <Rows rows={rows} />}
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        <Fact name="Time">{exactly(entry.at)}</Fact>
        <Fact name="Actor">
          {whoInWords(actor)}{' '}
          <span className={textClasses.dim}>({kindWords[actor.kind]?.one ?? actor.kind})</span>
        </Fact>
        <Fact name="Type">
          <code>{type}</code>
        </Fact>
        <Fact name="Subject">
          {nameInWords(subject.kind)} <code>{subject.id}</code>
        </Fact>
        {entry.ip && (
          <Fact name="IP address">
            <code>{entry.ip}</code>
          </Fact>
        )}
        {entry.request_id && (
          <Fact name="Request ID">
            <code>{entry.request_id}</code>
          </Fact>
        )}
      </dl>
      <p className={classes.further}>
        <Link to={paths.audit} search={byActor(actor)}>
          All events by {whoInWords(actor)}
        </Link>
        <Link to={paths.audit} search={aboutSubject(subject)}>
          All events for this {nameInWords(subject.kind).toLowerCase()}
        </Link>
      </p>
    </div>
  )
}

function Changes({ changes }: { changes: Change[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>Field</th>
          <th>Before</th>
          <th>After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{nameInWords(name)}</th>
            <td className={textClasses.dim}>
              <Value value={before} />
            </td>
            <td>
              <Value value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Rows({ rows }: { rows: Row[] }) {
  return (
    <table className={classes.table}>
      <tbody>
        {rows.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">{nameInWords(name)}</th>
            <td>
              <Value value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Always plain text. The id of a member is shown as their name. */
function Value({ value }: { value: unknown }) {
  const people = usePeople()
  if (isEmpty(value)) return <span className={textClasses.none}>empty</span>
  const member = typeof value === 'string' ? people.get(value) : undefined
  if (member) return member.name || member.email
  const text = simplyPut(value)
  if (text === undefined) return <pre className={classes.json}>{JSON.stringify(value, null, 2)}</pre>
  return <span className={classes.value}>{text}</span>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
