import '@mantine/core/styles/Switch.layer.css'
import { Checkbox, Select, Switch, TextInput } from '@mantine/core'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { changeWidget, readWidget } from '../../records/chat-widgets/widget-writes.ts'
import { Section } from '../../ui/page-head.tsx'
import { asSentence } from '../../ui/words.ts'
import { ownZone } from '../../ui/zones.ts'
import { ChatAgent } from './chat-agent.tsx'
import { ChatLook } from './chat-look.tsx'
import { ChatQuestions } from './chat-questions.tsx'
import { ChatSites } from './chat-sites.tsx'
import { changeOf, faultsOf, fieldsOf, inForm, usualWeek, type PartProps } from './chat-widget-fields.ts'
import { WeekEditor } from './hours-editor.tsx'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import textClasses from '../../ui/text.module.css'
import meetingClasses from './meeting-settings.module.css'
import form from './outreach-settings.module.css'

const NAME_LENGTH_MAX = 200
const URL_LENGTH_MAX = 2_000

export function ChatWidgetForm({ widget, editable }: { widget: ChatWidget; editable: boolean }) {
  const { id } = widget
  const saving = useSettingsForm(widget, {
    fieldsOf,
    changeOf,
    faultsOf,
    write: (change, ifMatch) => changeWidget(id, change, ifMatch),
    reload: () => readWidget(id),
    saved: `Saved ${widget.name}`,
  })
  const { fields, set } = saving
  const faults = saving.faults.map(fault => inForm(fault, fields))
  const faultOf = (name: string, exactly?: true) => {
    const own = faults.find(({ path }) => path === name || (!exactly && path.startsWith(`${name}.`)))
    return own && asSentence(own.message)
  }
  const part: PartProps = { fields, set, faultOf, editable }
  return (
    <form onSubmit={saving.save} noValidate aria-label="Chat widget">
      <fieldset disabled={!editable} className={form.fields}>
        {!editable && <p>Only admins can change these settings.</p>}
        <Section title="Website">
          <div className={form.fields}>
            <Switch
              label="Show this chat"
              description="While it is off, it appears nowhere."
              checked={fields.is_on}
              onChange={({ currentTarget }) => set({ is_on: currentTarget.checked })}
            />
            <TextInput
              label="Name"
              description="Only your team sees it."
              value={fields.name}
              error={faultOf('name')}
              maxLength={NAME_LENGTH_MAX}
              autoComplete="off"
              onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            />
            <ChatSites {...part} />
          </div>
        </Section>
        <Section title="Look">
          <ChatLook {...part} widget={widget} />
        </Section>
        <Section
          title="Questions"
          about="Asked before the first message. Without any, the chat starts at once."
        >
          <div className={form.fields}>
            <ChatQuestions {...part} />
            <Checkbox
              label="Visitors can attach files"
              checked={fields.takes_files}
              onChange={({ currentTarget }) => set({ takes_files: currentTarget.checked })}
            />
            <TextInput
              label="Privacy policy"
              description="A link shown below the chat."
              placeholder="https://"
              type="url"
              value={fields.privacy_url}
              error={faultOf('privacy_url')}
              maxLength={URL_LENGTH_MAX}
              autoComplete="off"
              onChange={({ currentTarget }) => set({ privacy_url: currentTarget.value })}
            />
          </div>
        </Section>
        <Section title="Hours" about="When people answer. At other times, visitors leave a message.">
          <Hours {...part} />
        </Section>
        <Section title="AI agent" about="Answers, or prepares answers, until a person takes over.">
          <ChatAgent {...part} />
        </Section>
      </fieldset>
      {editable && <SettingsSave form={saving} className={meetingClasses.save} />}
    </form>
  )
}

function Hours({ fields, set, faultOf, editable }: PartProps) {
  const { has_hours, week, timezone } = fields
  return (
    <div className={form.fields}>
      <Checkbox
        label="Only at certain hours"
        checked={has_hours}
        onChange={({ currentTarget: { checked } }) =>
          set({ has_hours: checked, ...(checked && week.flat().length === 0 && { week: usualWeek() }) })
        }
      />
      {has_hours && (
        <>
          <Select
            label="Time zone"
            data={[...new Set([timezone, ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
            value={timezone}
            error={faultOf('timezone')}
            searchable
            allowDeselect={false}
            onChange={zone => zone && set({ timezone: zone })}
          />
          <WeekEditor week={week} set={week => set({ week })} faultOf={faultOf} editable={editable} />
          {faultOf('hours') && (
            <p className={textClasses.bad} role="alert">
              {faultOf('hours')}
            </p>
          )}
        </>
      )}
    </div>
  )
}
