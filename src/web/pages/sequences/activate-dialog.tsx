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

/** A last look before it can begin: first what is not right, then what will happen. */
export function ActivateDialog({ sequence, close }: Props) {
  const settings = useQuery(outreachSettingsQuery).data
  // From now on leads may get links to the booking page: asked for, it has the hours of who activates.
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
    // What has come to be wrong since it was loaded is shown with the rest.
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
        <Text>It has no steps yet. Add at least one before you activate it.</Text>
      ) : (
        <>
          <Text>
            Activating sends nothing by itself: it begins for each lead that is enrolled from then on, with{' '}
            {plural(sequence.steps.length, 'step')}.
          </Text>
          <ol className={textClasses.bullets} aria-label="What will happen">
            {sequence.steps.map((step, at) => (
              // A step has no identity but its place.
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

/** Counted as people count: the path counts from nought. */
function stepOf(path: string): number | undefined {
  const [, at] = /^steps\[(\d+)\]/.exec(path) ?? []
  return at === undefined ? undefined : Number(at) + 1
}

/** What lies outside of the sequence and would keep it from reaching anybody. */
function surroundings({ steps }: SequenceWithWarnings, settings: OutreachSettings | undefined): string[] {
  if (!settings) return []
  const has = (type: 'email' | 'sms') => steps.some(step => step.type === type)
  return [
    settings.paused_at && 'All outreach is paused: nothing goes out until it is resumed.',
    has('email') &&
      settings.mail === 'outbox' &&
      'No mail server is set up: mails are kept on this server and reach nobody.',
    has('sms') &&
      settings.sms === 'outbox' &&
      'No SMS provider is set up: text messages are kept on this server and reach nobody.',
    has('email') &&
      !settings.from_name &&
      `No sender name is set: e-mails are signed “${nameIn(settings.from)}”.`,
    has('email') && !settings.postal_address && 'Mails carry no postal address; many countries demand one.',
    has('email') &&
      settings.replies === 'none' &&
      'No mailbox is read for replies: a reply does not stop the sequence by itself.',
  ].filter(each => typeof each === 'string')
}

/** `Rapport <rapport@example.com>` → `Rapport` */
function nameIn(from: string): string {
  return /^(.*?)\s*<.*>$/.exec(from)?.[1] || from
}
