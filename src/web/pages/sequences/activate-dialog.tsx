import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconAlertTriangle from 'icon:alert-triangle'
import { useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import type { OutreachSettings } from '#domains/messages/contract.ts'
import { inWords, isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/words.ts'
import { availabilityQuery } from '../../records/meetings/meetings-cache.ts'
import { readCondition } from './draft-problems.ts'
import { activateSequence } from '../../records/sequences/sequence-writes.ts'
import { outreachSettingsQuery } from '../../records/sequences/sequences-cache.ts'
import { delayInWords, stepTitle } from '../../records/sequences/words.ts'
import classes from '../../ui/review-dialog.module.css'
import textClasses from '../../ui/text.module.css'
import noticeClasses from '../../ui/notice.module.css'

type Props = { sequence: SequenceWithWarnings; close: () => void }

/** A last check before activating: errors and warnings, then the steps. */
export function ActivateDialog({ sequence, close }: Props) {
  const settings = useQuery(outreachSettingsQuery).data
  // Leads may now get booking links: loading the availability creates it for this person.
  useQuery(availabilityQuery)
  const [fault, setFault] = useState<string>()
  const obstacles = sequence.warnings.map(({ path, message }) => ({ at: stepOf(path), message }))
  const warnings = surroundings(sequence, settings)
  const isEmpty = sequence.steps.length === 0

  async function activate() {
    await activateSequence(sequence)
    close()
  }

  function refused(error: unknown) {
    // Reload to show errors that appeared since it was loaded.
    if (isProblem(error, 422)) void queryClient.invalidateQueries({ queryKey: cacheKeys.sequences })
    setFault(inWords(error))
  }

  return (
    <FormDialog
      title={`Activate ${sequence.name}`}
      size={520}
      verb={warnings.length > 0 && obstacles.length === 0 ? 'Activate anyway' : 'Activate'}
      disabled={isEmpty || obstacles.length > 0}
      focus="cancel"
      act={activate}
      refused={refused}
      fault={fault}
      close={close}
    >
      {obstacles.length > 0 && (
        <div className={`${noticeClasses.box} ${classes.warnings}`} data-tone="bad" role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          <div>
            <p>Fix before activating</p>
            <ul aria-label="Fix before activating">
              {obstacles.map(({ at, message }) => (
                <li key={`${at} ${message}`}>
                  {at !== undefined && <b>Step {at}: </b>}
                  {message}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {warnings.length > 0 && (
        <div className={`${noticeClasses.box} ${classes.warnings}`} role="note">
          <IconAlertTriangle size={16} aria-hidden />
          <ul aria-label="Warnings">
            {warnings.map(warning => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      {isEmpty ? (
        <Text>This sequence has no steps yet. Add at least one before activating it.</Text>
      ) : (
        <>
          <Text>
            Activating alone sends nothing. Each lead enrolled from then on goes through{' '}
            {plural(sequence.steps.length, 'step')}.
          </Text>
          <ol className={textClasses.bullets} aria-label="What will happen">
            {sequence.steps.map((step, at) => (
              // A step is identified by its position only.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={at}>
                {step.type !== 'delay' && (step.delay_days ?? 0) > 0 && (
                  <span className={textClasses.dim}>{delayInWords(step.delay_days!)}, then </span>
                )}
                {stepTitle(step, sequence.settings.delay_unit)}
                {step.condition && (
                  <span className={textClasses.dim}>, {readCondition(step.condition).words}</span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </FormDialog>
  )
}

/** Counted from 1; the path counts from 0. */
function stepOf(path: string): number | undefined {
  const [, at] = /^steps\[(\d+)\]/.exec(path) ?? []
  return at === undefined ? undefined : Number(at) + 1
}

/** Team settings that would keep messages from being delivered. */
function surroundings({ steps }: SequenceWithWarnings, settings: OutreachSettings | undefined): string[] {
  if (!settings) return []
  const has = (type: 'email' | 'sms') => steps.some(step => step.type === type)
  return [
    settings.paused_at && 'All outreach is paused: nothing is sent until it is resumed.',
    has('email') &&
      settings.mail === 'outbox' &&
      'No mail server is set up: emails stay on this server and are not delivered.',
    has('sms') &&
      settings.sms === 'outbox' &&
      'No SMS provider is set up: text messages stay on this server and are not delivered.',
    has('email') &&
      !settings.from_name &&
      `No sender name is set: emails are signed “${nameIn(settings.from)}”.`,
    has('email') &&
      !settings.postal_address &&
      'Emails have no postal address, which many countries require.',
    has('email') &&
      settings.replies === 'none' &&
      'No mailbox is connected: replies do not stop the sequence automatically.',
  ].filter(each => typeof each === 'string')
}

/** `Rapport <rapport@example.com>` → `Rapport` */
function nameIn(from: string): string {
  return /^(.*?)\s*<.*>$/.exec(from)?.[1] || from
}
