import { useVirtualizer } from '@tanstack/react-virtual'
import { useNavigate } from '@tanstack/react-router'
import { memo, useRef, type MouseEvent } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { patterns } from '../../paths.ts'
import { Avatar } from '../../ui/person.tsx'
import { Bar } from '../../ui/states.tsx'
import { Stage } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import type { LeadList } from '../../records/leads/cache.ts'
import { useField } from '../../records/leads/choices.tsx'
import { leadName } from '../../records/leads/fields.ts'
import { leadHref } from './grid-cell.tsx'
import { recall } from './grid-state.ts'
import { usePeople } from '../../records/leads/people.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'
import { selection, toggle } from '../../records/leads/selection.ts'
import { useBlocks } from './use-blocks.ts'
import { useOwnPlace } from './use-own-place.ts'
import type { People } from '../../records/leads/plain-value.ts'
import classes from '../../ui/record-list/cards.module.css'
import textClasses from '../../ui/text.module.css'

const CARD_PX = 68
const OVERSCAN = 6

/** The table for narrow screens: the same blocks under the same virtualiser, a card for each row. */
export const Cards = memo(function Cards({
  list,
  search,
  stale,
}: {
  list: LeadList
  search: LeadsSearch
  stale: boolean
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const people = usePeople()
  const stages = useField('pipeline_stage')?.options ?? []
  const virtualizer = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: OVERSCAN,
    initialOffset: () => recall(list.text).offset,
  })
  const items = virtualizer.getVirtualItems()
  const rowAt = useBlocks(list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)
  useOwnPlace(list.text, scroller)
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div
      ref={scroller}
      className={classes.scroller}
      data-stale={stale || undefined}
      tabIndex={0}
      role="region"
      aria-label="Leads"
    >
      <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <Card
            key={index}
            index={index}
            top={start}
            lead={rowAt(index)}
            search={search}
            people={people}
            stages={stages}
            total={list.count}
          />
        ))}
      </ul>
    </div>
  )
})

type CardProps = {
  index: number
  top: number
  lead: Lead | undefined
  search: LeadsSearch
  people: People
  stages: readonly string[]
  total: number
}

const Card = memo(function Card({ index, top, lead, search, people, stages, total }: CardProps) {
  const navigate = useNavigate()
  const selected = selection.use(now => lead !== undefined && now.has(lead.id))
  const style = { transform: `translateY(${top}px)` }
  const place = { 'aria-posinset': index + 1, 'aria-setsize': total }
  if (!lead) {
    return (
      <li className={classes.card} style={style} aria-busy {...place}>
        <Bar width="50%" />
        <Bar width="70%" height={10} />
      </li>
    )
  }
  const owner = lead.owner_id && people.get(lead.owner_id)
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ to: patterns.lead, params: { id: lead!.id }, search: { ...search, row: index } })
  }
  return (
    <li className={classes.card} style={style} data-choosing data-selected={selected || undefined} {...place}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={selected}
          aria-label={`Select ${leadName(lead)}`}
          onChange={() => toggle(lead)}
        />
      </label>
      <a className={classes.link} href={leadHref(lead.id, index, search)} onClick={open}>
        <span className={classes.line}>
          <span className={`${textClasses.cut} ${classes.name}`}>{leadName(lead)}</span>
          <span className={textClasses.meta}>
            {lead.last_activity_at && <Time at={lead.last_activity_at} />}
          </span>
        </span>
        <span className={classes.line}>
          <span className={classes.about}>
            {[lead.company, lead.email].filter(Boolean).join(' · ') || lead.phone}
          </span>
          <Stage stage={lead.pipeline_stage} stages={stages} />
          {owner && <Avatar name={owner.name || owner.email} id={owner.id} />}
        </span>
      </a>
    </li>
  )
})
