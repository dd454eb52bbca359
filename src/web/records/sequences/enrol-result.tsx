import { Button, Group, Stack, Text } from '@mantine/core'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { count, plural } from '../../ui/words.ts'
import { LeadLink } from '../leads/lead-link.tsx'
import type { Outcome } from './enrolling.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { skipWords } from './words.ts'
import classes from '../../ui/review-dialog.module.css'
import textClasses from '../../ui/text.module.css'

const NAMES_MAX = 50

type Props = { sequence: Sequence; outcome: Outcome; close: () => void }

/** How many were enrolled, who was skipped, and why. */
export function EnrolResult({ sequence, outcome, close }: Props) {
  const { enrolled, skipped, left, fault } = outcome
  return (
    <Stack gap="md">
      <Text role="status">
        {plural(enrolled, 'lead is', 'leads are')} enrolled in {sequence.name}.
      </Text>
      {left > 0 && (
        <p className={textClasses.bad} role="alert">
          {fault === undefined
            ? `Cancelled: ${plural(left, 'lead was', 'leads were')} not enrolled.`
            : `Enrolling failed: ${plural(left, 'lead was', 'leads were')} not enrolled. ${inWords(fault)}`}
        </p>
      )}
      {skipped.length > 0 && (
        <div>
          <Text>{count(skipped.length)} skipped:</Text>
          <ul className={classes.names}>
            {skipped.slice(0, NAMES_MAX).map(({ lead_id, reason }) => (
              <li key={lead_id}>
                <LeadLink id={lead_id} />{' '}
                <span className={textClasses.dim}>{skipWords[reason] ?? reason}</span>
              </li>
            ))}
            {skipped.length > NAMES_MAX && <li>and {count(skipped.length - NAMES_MAX)} more</li>}
          </ul>
        </div>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close}>
          Close
        </Button>
        <LinkButton
          to={patterns.sequence}
          params={{ id: sequence.id }}
          search={{ tab: 'leads' }}
          onClick={close}
          ref={takeFocus}
        >
          Show leads
        </LinkButton>
      </Group>
    </Stack>
  )
}
