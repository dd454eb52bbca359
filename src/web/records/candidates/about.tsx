import type { ReactNode } from 'react'
import type { Candidate } from '#domains/candidates/contract.ts'
import { Time } from '../../ui/time.tsx'
import { ValueRow } from '../leads/value-row.tsx'
import { LeadLink } from '../leads/lead-link.tsx'
import type { Field } from '../leads/fields.ts'
import { renameCandidate } from './candidate-writes.ts'
import { Status } from './status.tsx'
import { linkOf, originWords, statusWords, webAddress } from './words.ts'
import fieldClasses from '../../ui/value-rows.module.css'
import textClasses from '../../ui/text.module.css'
import progressClasses from '../../ui/progress.module.css'
import classes from './candidate-page.module.css'

const nameField: Field = {
  key: 'name',
  label: 'Name',
  kind: 'text',
  width: 0,
  group: 'company',
  editable: true,
  nullable: true,
}

/** Status, score and contact details. */
export function About({ candidate, canWrite }: { candidate: Candidate; canWrite: boolean }) {
  const { url, email, phone, lead_id, origin, created_at } = candidate
  return (
    <section className={fieldClasses.panel} aria-label="About this candidate">
      <Standing candidate={candidate} />
      <Score candidate={candidate} />
      <div className={fieldClasses.group}>
        <h2 className={fieldClasses.title}>Company</h2>
        <ValueRow
          field={nameField}
          value={candidate.name}
          canWrite={canWrite}
          change={name => void renameCandidate(candidate, name === null ? null : String(name))}
        />
        <Row label="Website">
          <Outside href={webAddress(url)}>{candidate.domain}</Outside>
        </Row>
        {email && (
          <Row label="Email">
            <a href={linkOf({ kind: 'email', value: email })}>{email}</a>
          </Row>
        )}
        {phone && (
          <Row label="Phone">
            <a href={linkOf({ kind: 'phone', value: phone })}>{phone}</a>
          </Row>
        )}
        {lead_id && (
          <Row label="Lead">
            <LeadLink id={lead_id} />
          </Row>
        )}
      </div>
      <p className={textClasses.meta}>
        Added {originWords[origin]}, <Time at={created_at} />
      </p>
    </section>
  )
}

function Standing({ candidate }: { candidate: Candidate }) {
  const { status, error, crawled_at, changed_at, next_crawl_at, failures } = candidate
  const why = error ?? statusWords[status].about
  return (
    <div className={fieldClasses.group}>
      <h2 className={fieldClasses.title}>Status</h2>
      <p className={classes.status} role="status">
        <Status status={status} />
      </p>
      {why && (
        <p className={classes.why}>
          {why}
          {failures > 1 && ` Failed ${failures} times in a row.`}
        </p>
      )}
      <ul className={textClasses.meta}>
        {crawled_at && (
          <li>
            Last crawled <Time at={crawled_at} />
          </li>
        )}
        {changed_at && changed_at !== crawled_at && (
          <li>
            Facts last changed <Time at={changed_at} />
          </li>
        )}
        {next_crawl_at && (
          <li>
            Next crawl <Time at={next_crawl_at} ahead />
          </li>
        )}
      </ul>
    </div>
  )
}

/** The score with its breakdown. */
function Score({ candidate: { score, status, data } }: { candidate: Candidate }) {
  if (status !== 'CRAWLED' && score === 0) return null
  return (
    <div className={fieldClasses.group}>
      <h2 className={fieldClasses.title}>Score</h2>
      <p className={classes.score}>
        <b>{score}</b> of 100
      </p>
      <div className={`${progressClasses.track} ${classes.scoreBar}`} aria-hidden>
        <div style={{ width: `${score}%` }} />
      </div>
      {data.score.length > 0 ? (
        <ul className={classes.points} aria-label="Score breakdown">
          {data.score.map(({ points, why }) => (
            <li key={why}>
              <span>{points < 0 ? `−${-points}` : `+${points}`}</span> {why}
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.why}>No contact details found on its site.</p>
      )}
    </div>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={fieldClasses.row}>
      <span className={fieldClasses.label}>{label}</span>
      <span className={`${fieldClasses.fixed} ${classes.linked}`}>{children}</span>
    </div>
  )
}

/** An external link, or plain text if it is not a web URL. */
export function Outside({ href, children }: { href: string | undefined; children: string }) {
  if (!href) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
