import { ActionIcon } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import type { ReactNode } from 'react'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { TrashedRow } from '../../ui/list-page.tsx'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { Bar } from '../../ui/states.tsx'
import { toastFault } from '../../ui/toast.ts'
import { ofHowMany, overview, told } from './numbers.ts'
import { duplicateSequence, setStatus } from '../../records/sequences/sequence-writes.ts'
import { numbersQuery } from '../../records/sequences/sequences-cache.ts'
import { Status } from './status.tsx'
import { stepsInShort } from '../../records/sequences/words.ts'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from '../../ui/list-page.module.css'
import { sequences } from '../../records/sequences/store.ts'

type Props = {
  sequences: Sequence[]
  trashed: boolean
  more: ReactNode
}

export function SequenceList({ sequences: listed, trashed, more }: Props) {
  return (
    <div className={pageClasses.list}>
      <ul className={rowsClasses.rows} aria-label="Sequences">
        {listed.map(sequence =>
          trashed ? (
            <TrashedRow
              key={sequence.id}
              name={sequence.name}
              short={stepsInShort(sequence.steps)}
              deletedAt={sequence.deleted_at}
              restore={() => sequences.bringBack(sequence.id)}
            />
          ) : (
            <Row key={sequence.id} sequence={sequence} />
          ),
        )}
      </ul>
      {more}
    </div>
  )
}

function Row({ sequence }: { sequence: Sequence }) {
  const { id, name, steps, status } = sequence
  const { ref, inViewport } = useInViewport<HTMLLIElement>()
  return (
    <li ref={ref} className={`${rowsClasses.row} ${classes.row}`}>
      <span className={classes.name}>
        <Link to={patterns.sequence} params={{ id }} search={{}}>
          {name}
        </Link>
        <span className={textClasses.under}>{stepsInShort(steps)}</span>
      </span>
      <span className={classes.state}>
        <Status status={status} />
      </span>
      <span className={classes.rest}>
        <Numbers id={id} isSeen={inViewport} />
      </span>
      <span className={classes.menu}>
        <RowMenu sequence={sequence} />
      </span>
    </li>
  )
}

/** Loaded once the row is visible, not for all rows of a long list. */
function Numbers({ id, isSeen }: { id: string; isSeen: boolean }) {
  const { data, isError } = useQuery({ ...numbersQuery(id), enabled: isSeen })
  if (isError && !data) return <span className={textClasses.dim}>Couldn't load metrics</span>
  if (!data) return <Bar width={320} />
  if (data.enrolled === 0) return <span className={textClasses.dim}>No leads enrolled yet</span>
  return (
    <ul className={classes.parts} aria-label="Performance">
      <li>
        <Link to={patterns.sequence} params={{ id }} search={{ tab: 'leads' }}>
          {ofHowMany('enrolled', data)}
        </Link>
      </li>
      <li>
        <Link to={patterns.sequence} params={{ id }} search={{ tab: 'leads', active: true }}>
          {ofHowMany('active', data)}
        </Link>
      </li>
      {told(overview, data).map(part => (
        <li key={part}>
          <Link
            to={patterns.sequence}
            params={{ id }}
            search={{ tab: 'leads', reached: part }}
            data-none={data[part] === 0 || undefined}
          >
            {ofHowMany(part, data)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function RowMenu({ sequence }: { sequence: Sequence }) {
  const navigate = useNavigate()
  const { name, status } = sequence
  async function duplicate() {
    try {
      const { id } = await duplicateSequence(sequence)
      void navigate({ to: patterns.sequence, params: { id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't duplicate")
    }
  }
  const items: (MenuItem | 'divider')[] = [
    ...(status === 'ACTIVE' ? [{ label: 'Pause', run: () => void setStatus(sequence, 'PAUSED') }] : []),
    ...(status === 'PAUSED' ? [{ label: 'Resume', run: () => void setStatus(sequence, 'ACTIVE') }] : []),
    { label: 'Duplicate', run: () => void duplicate() },
    'divider',
    { label: 'Move to trash', danger: true, run: () => void sequences.trash(sequence) },
  ]
  return (
    <ButtonMenu
      button={
        <ActionIcon aria-label={`More actions for ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      }
      items={items}
    />
  )
}
