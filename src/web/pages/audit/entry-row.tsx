import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconChevronRight from 'icon:chevron-right'
import { memo, useId, useState } from 'react'
import type { Entry } from '#domains/audit/contract.ts'
import { patterns } from '../../paths.ts'
import { Time } from '../../ui/time.tsx'
import { ActorMark } from './actor.tsx'
import { Details } from './entry-details.tsx'
import { whatInWords, whoInWords } from '../../records/audit/words.ts'
import rowsClasses from '../../ui/rows.module.css'
import classes from './audit.module.css'

/** One line that expands to its details. */
export const EntryRow = memo(function EntryRow({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li data-open={open || undefined}>
      <div className={classes.line}>
        {/* Covers the whole line; other links and hover targets lie above it. */}
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={open}
          aria-controls={id}
          aria-describedby={`${id}-line`}
          aria-label="Details"
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={16} aria-hidden />
        </UnstyledButton>
        <ActorMark actor={entry.actor} />
        <p className={classes.sentence} id={`${id}-line`}>
          <b>{whoInWords(entry.actor)}</b> {whatInWords(entry)}
        </p>
        {entry.lead_id && (
          <Link to={patterns.lead} params={{ id: entry.lead_id }} className={classes.subject}>
            Open lead
          </Link>
        )}
        <span className={classes.ip} title="IP address">
          {entry.ip}
        </span>
        <span className={`${rowsClasses.when} ${classes.when}`}>
          <Time at={entry.at} />
        </span>
      </div>
      <div id={id} hidden={!open}>
        {open && <Details entry={entry} />}
      </div>
    </li>
  )
})
