import { Button } from '@mantine/core'
import { memo } from 'react'
import type { Suppression } from '#domains/suppressions/contract.ts'
import { Time } from '../../ui/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { channelWords, reasonWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './suppressions.module.css'

type Props = { entry: Suppression; lift: () => void }

export const SuppressionRow = memo(function SuppressionRow({ entry, lift }: Props) {
  const { address, channel, reason, source, note, created_at, lifted_at } = entry
  return (
    <li className={`${rowsClasses.row} ${classes.row}`}>
      <span className={classes.who}>
        <span className={`${textClasses.cut} ${classes.address}`} title={address}>
          {address}
        </span>
        <span className={textClasses.meta}>{channelWords[channel]}</span>
      </span>
      <span className={rowsClasses.state}>
        <Badge words={reasonWords[reason]} />
      </span>
      <span className={classes.source}>
        <span className={textClasses.meta}>{source}</span>
        {note && <span className={classes.note}>{note}</span>}
      </span>
      <span className={`${rowsClasses.when} ${classes.when}`}>
        <Time at={created_at} />
        {lifted_at && (
          <span>
            removed <Time at={lifted_at} />
          </span>
        )}
      </span>
      <span className={classes.act}>
        {!lifted_at && (
          <Button size="xs" variant="default" aria-label={`Remove ${address}`} onClick={lift}>
            Remove
          </Button>
        )}
      </span>
    </li>
  )
})
