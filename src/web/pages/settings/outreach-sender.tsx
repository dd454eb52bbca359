import { Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { OutreachSettings, OutreachSettingsChange } from '#domains/messages/contract.ts'
import { api } from '../../api.ts'
import { inWords, type FieldFault } from '../../problem.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { asSentence } from '../../ui/words.ts'
import { putOutreachSettings } from '../../records/sequences/sequences-cache.ts'
import { previewQuery } from '../../records/templates/templates-cache.ts'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './outreach-settings.module.css'

const names = [
  'from_name',
  'reply_to',
  'signature',
  'postal_address',
  'meeting_url',
  'sms_quiet_from',
  'sms_quiet_until',
] as const
type Name = (typeof names)[number]
type Fields = Record<Name, string>

const QUIET_MS = 350
const TEXT_LENGTH_MAX = 200
const SIGNATURE_LENGTH_MAX = 5_000
const POSTAL_LENGTH_MAX = 500

/** Saved on submit, with undo. */
export function OutreachSender({ settings, editable }: { settings: OutreachSettings; editable: boolean }) {
  const form = useSettingsForm(settings, {
    fieldsOf,
    changeOf,
    write,
    reload,
    saved: 'Saved sender settings',
  })
  const { fields, faults, set } = form
  const field = (name: Name) => ({
    value: fields[name],
    error: faultOf(faults, name),
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value }, ({ path }) => path === name),
  })

  return (
    <form className={classes.form} onSubmit={form.save} noValidate aria-label="Sender">
      <fieldset disabled={!editable} className={classes.fields}>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="Sender name"
            description={`Shown as: ${fields.from_name || 'Grace at Example'} <${addressOf(settings.from)}>`}
            maxLength={TEXT_LENGTH_MAX}
            {...field('from_name')}
          />
          <TextInput
            label="Reply-to address"
            type="email"
            placeholder={addressOf(settings.from)}
            description="A mailbox someone reads. Empty: the sender address."
            {...field('reply_to')}
          />
        </div>
        <div className={fieldsClasses.pair}>
          <Textarea
            label="Signature"
            description="Markdown. Added to every email from a template."
            rows={6}
            maxLength={SIGNATURE_LENGTH_MAX}
            {...field('signature')}
          />
          <SignaturePreview text={fields.signature} />
        </div>
        <div className={fieldsClasses.pair}>
          <Textarea
            label="Postal address"
            description="Shown in the footer of every email. Required by law in many countries."
            rows={3}
            maxLength={POSTAL_LENGTH_MAX}
            {...field('postal_address')}
          />
          <TextInput
            label="Meeting link"
            type="url"
            placeholder="https://"
            description="Replaces {{meetingLink}}. Its clicks are counted separately."
            {...field('meeting_url')}
          />
        </div>
        <div>
          <div className={classes.times}>
            <TextInput type="time" label="No text messages from" {...field('sms_quiet_from')} />
            <TextInput type="time" label="until" {...field('sms_quiet_until')} />
          </div>
          <p className={classes.about}>
            In the lead's time zone. Messages due in between wait. Leave both empty to send at any time.
          </p>
        </div>
      </fieldset>
      {editable && <SettingsSave form={form} />}
    </form>
  )
}

function SignaturePreview({ text }: { text: string }) {
  const [quiet] = useDebouncedValue(text.trim(), QUIET_MS)
  const { data, error } = useQuery(previewQuery({ subject: '', body: quiet, format: 'markdown' }, undefined))
  return (
    <div className={classes.signature} aria-label="Signature preview" role="group">
      {quiet === '' ? (
        <p className={classes.about}>No signature. Emails end with their text.</p>
      ) : error ? (
        <p className={textClasses.bad} role="alert">
          {inWords(error)}
        </p>
      ) : (
        data && (
          <MailFrame
            className={classes.signatureFrame}
            title="Signature as recipients see it"
            html={data.html}
          />
        )
      )}
    </div>
  )
}

async function write(body: OutreachSettingsChange, ifMatch?: string): Promise<OutreachSettings> {
  const saved = await api('PATCH /api/outreach/settings', { body, ...(ifMatch && { ifMatch }) })
  putOutreachSettings(saved)
  return saved
}

async function reload(): Promise<OutreachSettings> {
  const settings = await api('GET /api/outreach/settings')
  putOutreachSettings(settings)
  return settings
}

function fieldsOf(settings: OutreachSettings): Fields {
  return Object.fromEntries(names.map(name => [name, settings[name] ?? ''])) as Fields
}

function changeOf(before: OutreachSettings, fields: Fields): OutreachSettingsChange | undefined {
  const changed = names.filter(name => (before[name] ?? '') !== fields[name].trim())
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map(name => [name, fields[name].trim() || null]))
}

function faultOf(faults: FieldFault[], name: Name): string | undefined {
  const message = faults.find(({ path }) => path === name)?.message
  return message && asSentence(message)
}

function addressOf(from: string): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from
}
