import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Icon } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { TimelineEntry } from '#domains/leads/contract.ts'
import { useUser } from '../../queries.ts'
import { Time } from '../../ui/time.tsx'
import { eventInWords } from '../../ui/words.ts'
import { useFields } from '../leads/choices.tsx'
import { usePeople } from '../leads/people.ts'
import { ValueView } from '../leads/value.tsx'
import { causeInWords } from './cause.ts'
import { changesOf, detailsOf, type FieldChange } from './changes.ts'
import classes from './timeline.module.css'

const icons: Record<string, Icon> = {
  'lead.created': IconPlus,
  'lead.changed': IconPencil,
  'lead.noted': IconMessage,
  'lead.trashed': IconTrash,
  'lead.restored': IconRestore,
}

/** One thing that happened: who or what caused it, what it was, and when. */
export const Entry = memo(function Entry({ entry }: { entry: TimelineEntry }) {
  const Shape = icons[entry.type] ?? IconBolt
  const user = useUser()
  return (
    <li className={classes.entry}>
      <span className={classes.icon} aria-hidden>
        <Shape size={14} stroke={1.8} />
      </span>
      <div className={classes.what}>
        <p className={classes.line}>
          <span>
            <b>{causeInWords(entry.cause, user.id)}</b> <What entry={entry} />
          </span>
          <span className={classes.when}>
            <Time at={entry.at} />
          </span>
        </p>
        <Body entry={entry} />
      </div>
    </li>
  )
})

function What({ entry }: { entry: TimelineEntry }) {
  const fields = useFields()
  switch (entry.type) {
    case 'lead.created':
      return 'created this lead'
    case 'lead.trashed':
      return 'moved this lead to the trash'
    case 'lead.restored':
      return 'restored this lead'
    case 'lead.noted':
      return 'wrote a note'
    case 'lead.changed': {
      const labels = changesOf(entry.data, fields).map(({ field }) => field.label.toLowerCase())
      return `changed ${labels.join(', ')}`
    }
    default:
      return <>· {eventInWords(entry.type)}</>
  }
}

function Body({ entry }: { entry: TimelineEntry }): ReactNode {
  const fields = useFields()
  if (entry.type === 'lead.noted') return <p className={classes.note}>{String(entry.data.text ?? '')}</p>
  if (entry.type === 'lead.changed') {
    const changes = changesOf(entry.data, fields)
    return changes.map(change => <Change key={change.field.key} change={change} named={changes.length > 1} />)
  }
  if (entry.type.startsWith('lead.')) return null
  return detailsOf(entry.data).map(([name, value]) => (
    <p key={name} className={classes.detail}>
      {name}: {value}
    </p>
  ))
}

/** The line above names the field; several changes at once are named one by one. */
function Change({ change: { field, before, after }, named }: { change: FieldChange; named: boolean }) {
  const people = usePeople()
  const side = (value: FieldChange['before']) =>
    value === null || value === '' ? (
      <span className={classes.none}>empty</span>
    ) : (
      <ValueView field={field} value={value} people={people} />
    )
  return (
    <p className={classes.change}>
      {named && <span className={classes.field}>{field.label}</span>}
      <span className={classes.before}>{side(before)}</span>
      <IconArrowRight size={13} role="img" aria-label="became" />
      <span className={classes.after}>{side(after)}</span>
    </p>
  )
}
