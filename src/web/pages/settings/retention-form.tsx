import { TextInput } from '@mantine/core'
import type { Retention, RetentionChange } from '#domains/retention/contract.ts'
import { retentionKinds, type RetentionKind } from '#domains/retention/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { dateInWords } from '../../ui/time.tsx'
import { asSentence } from '../../ui/words.ts'
import { changeOf, daysOf, faultsOf, fieldsOf, isForEver } from './retention-fields.ts'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './outreach-settings.module.css'

const DAY_MS = 86_400_000

const words: Record<RetentionKind, { label: string; about: string }> = {
  events: { label: 'Audit log', about: 'Entries about records that still exist are kept.' },
  workflow_runs: {
    label: 'Workflow runs',
    about: 'With their traces, from when they ended. Then a workflow can run again for the same lead.',
  },
  webhook_deliveries: {
    label: 'Webhook deliveries',
    about: 'With their attempts. Pending deliveries are kept.',
  },
  inbound_events: { label: 'Webhook inbox', about: 'A repeat that arrives later is treated as new.' },
  call_transcripts: { label: 'Call transcripts', about: 'Calls, summaries and notes are kept.' },
  enrolment_traces: {
    label: 'Enrolment traces',
    about: 'Reasons for each step of ended enrolments. Skipped steps and tasks are no longer counted.',
  },
  mails: { label: 'Service emails', about: 'Such as invitations, reminders and invoices.' },
  notifications: { label: 'Notifications', about: 'Of every team member.' },
  model_responses: { label: 'Voice model statistics', about: 'Response times and token counts.' },
}

/** Saved on submit, with undo. */
export function RetentionForm({ retention }: { retention: Retention }) {
  const form = useSettingsForm(retention, {
    fieldsOf,
    changeOf: (before: Retention, fields) => changeOf(before, fields),
    faultsOf,
    write,
    reload,
    saved: 'Saved data retention',
  })
  const { fields, faults, set } = form
  return (
    <form className={classes.form} onSubmit={form.save} noValidate aria-label="Data retention">
      <div className={fieldsClasses.pair}>
        {retentionKinds.map(kind => {
          const fault = faults.find(({ path }) => path === kind)
          return (
            <TextInput
              key={kind}
              label={`${words[kind].label} (days)`}
              description={`${words[kind].about} ${whatGoes(kind, fields[kind])}`}
              placeholder={isForEver(kind) ? 'For ever' : ''}
              inputMode="numeric"
              autoComplete="off"
              value={fields[kind]}
              error={fault && asSentence(fault.message)}
              onChange={({ currentTarget }) =>
                set({ [kind]: currentTarget.value }, ({ path }) => path === kind)
              }
            />
          )
        })}
      </div>
      <SettingsSave form={form} />
    </form>
  )
}

function whatGoes(kind: RetentionKind, typed: string): string {
  const days = daysOf(kind, typed)
  if (days === null) return 'Empty: kept for ever.'
  if (days === undefined) return ''
  return `Removes everything before ${dateInWords(new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10))}.`
}

async function write(body: RetentionChange, ifMatch?: string): Promise<Retention> {
  return put(await api('PATCH /api/team/retention', { body, ...(ifMatch && { ifMatch }) }))
}

async function reload(): Promise<Retention> {
  return put(await api('GET /api/team/retention'))
}

function put(retention: Retention): Retention {
  queryClient.setQueryData<Retention>(cacheKeys.retention, retention)
  return retention
}
