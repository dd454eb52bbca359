import type { Lead } from '#domains/leads/contract.ts'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { isClosed } from '#domains/opportunities/values.ts'
import { money } from '../../ui/money.ts'
import { Avatar } from '../../ui/person.tsx'
import { dateInWords, Time, useNow } from '../../ui/time.tsx'
import { leadName } from '../../records/leads/fields.ts'
import type { People } from '../../records/leads/plain-value.ts'
import type { Deal } from './deals.ts'
import textClasses from '../../ui/text.module.css'
import faceClasses from '../../ui/board/face.module.css'
import classes from './deal-face.module.css'

const CARD_PX = 70

/** The card of a lead or an opportunity. */
export function DealFace({ deal, people }: { deal: Deal; people: People }) {
  return deal.of === 'leads' ? (
    <LeadFace lead={deal.record} people={people} />
  ) : (
    <OpportunityFace opportunity={deal.record} people={people} />
  )
}

export function dealHeight(): number {
  return CARD_PX
}

function LeadFace({ lead, people }: { lead: Lead; people: People }) {
  const about = [lead.company, lead.title].filter(Boolean).join(' · ') || lead.email || lead.phone
  return (
    <>
      <span className={faceClasses.title} title={leadName(lead)}>
        {leadName(lead)}
      </span>
      <span className={faceClasses.line}>
        <span className={`${textClasses.cut} ${classes.about}`} title={about ?? undefined}>
          {about}
        </span>
        {lead.last_activity_at && (
          <span className={classes.when}>
            <Time at={lead.last_activity_at} />
          </span>
        )}
        <Owner id={lead.owner_id} people={people} />
      </span>
    </>
  )
}

function OpportunityFace({ opportunity, people }: { opportunity: Opportunity; people: People }) {
  const { name, amount, currency, close_date, owner_id, stage } = opportunity
  const late = useIsPast(close_date) && !isClosed(stage)
  return (
    <>
      <span className={faceClasses.title} title={name}>
        {name}
      </span>
      <span className={faceClasses.line}>
        {amount !== null && <strong className={classes.amount}>{money(amount, currency)}</strong>}
        <span className={`${textClasses.cut} ${classes.about}`} data-late={late || undefined}>
          {close_date && `${late ? 'was due' : 'closes'} ${dateInWords(close_date)}`}
        </span>
        <Owner id={owner_id} people={people} />
      </span>
    </>
  )
}

function Owner({ id, people }: { id: string | null; people: People }) {
  if (!id) return null
  const member = people.get(id)
  const name = member?.name || member?.email || 'Former member'
  return (
    <span className={faceClasses.person} title={name}>
      <Avatar name={name} id={id} />
      <span className={textClasses.hidden}>{name}</span>
    </span>
  )
}

/** A day is past once it is over in the person's time zone. */
function useIsPast(day: string | null): boolean {
  const now = new Date(useNow())
  if (!day) return false
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1) <= now
}
