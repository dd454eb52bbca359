import { Fragment } from 'react'
import { whereaboutsOf, whereInWords } from '#platform/phone-zones.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { Time } from '../../ui/time.tsx'
import { useFields } from '../../records/leads/choices.tsx'
import type { Field } from '../../records/leads/fields.ts'
import { AccountRow } from './account-row.tsx'
import { FieldRow } from './field-row.tsx'
import classes from '../../ui/value-rows.module.css'
import textClasses from '../../ui/text.module.css'

const groups: [group: Field['group'], title: string][] = [
  ['contact', 'Contact'],
  ['company', 'Company'],
  ['pipeline', 'Pipeline'],
  ['custom', 'Custom fields'],
]

/** All fields of the lead, edited in place. */
export function LeadFields({ lead, canWrite }: { lead: Lead; canWrite: boolean }) {
  const fields = useFields().filter(({ kind }) => kind !== 'name')
  const utm = Object.entries(lead.utm)
  return (
    <section className={classes.panel} aria-label="Fields">
      {groups.map(([group, title]) => {
        const own = fields.filter(field => field.group === group)
        if (own.length === 0) return null
        return (
          <div key={group} className={classes.group}>
            <h2 className={classes.title}>{title}</h2>
            {own.map(field =>
              field.kind === 'account' ? (
                <AccountRow key={field.key} lead={lead} canWrite={canWrite} />
              ) : (
                <Fragment key={field.key}>
                  <FieldRow lead={lead} field={field} canWrite={canWrite} />
                  {field.key === 'timezone' && <LikelyZone lead={lead} />}
                </Fragment>
              ),
            )}
          </div>
        )
      })}
      {utm.length > 0 && (
        <div className={classes.group}>
          <h2 className={classes.title}>Campaign</h2>
          {utm.map(([name, value]) => (
            <div key={name} className={classes.row}>
              <span className={classes.label}>{name.replaceAll('_', ' ')}</span>
              <span className={classes.fixed}>{value}</span>
            </div>
          ))}
        </div>
      )}
      <p className={textClasses.meta}>
        Created <Time at={lead.created_at} />, changed <Time at={lead.updated_at} />
        {lead.last_activity_at && (
          <>
            , last activity <Time at={lead.last_activity_at} />
          </>
        )}
      </p>
    </section>
  )
}

/** The likely time zone: quiet hours for calls follow it until one is set. */
function LikelyZone({ lead }: { lead: Lead }) {
  const where = whereaboutsOf(lead.timezone, lead.phone)
  if (where.source !== 'phone') return null
  return <p className={classes.likely}>{capital(whereInWords(where))}</p>
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
