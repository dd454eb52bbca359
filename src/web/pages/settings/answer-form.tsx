import { Checkbox, Select, TextInput } from '@mantine/core'
import type { ConversationSettings } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { AgentChoice } from '../../records/agents/agent-select.tsx'
import { queryClient } from '../../query-client.ts'
import { asSentence } from '../../ui/words.ts'
import { ownZone } from '../../ui/zones.ts'
import { changeOf, faultsOf, fieldsOf } from './answer-fields.ts'
import { WeekEditor } from './hours-editor.tsx'
import { NewSenders } from './new-senders.tsx'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './outreach-settings.module.css'

type Change = NonNullable<ReturnType<typeof changeOf>>

/** How soon the team answers, and when it is there. */
export function AnswerForm({ settings, editable }: { settings: ConversationSettings; editable: boolean }) {
  const form = useSettingsForm(settings, {
    fieldsOf,
    changeOf,
    faultsOf,
    write,
    reload,
    saved: 'Saved answer times',
  })
  const { fields, faults, set } = form
  const faultOf = (name: string) => {
    const own = faults.find(({ path }) => path === name || path.startsWith(`${name}.`))
    return own && asSentence(own.message)
  }
  const minutes = (name: 'first_answer_min' | 'next_answer_min' | 'escalate_after_min') => ({
    value: fields[name],
    error: faultOf(name),
    placeholder: 'No target',
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  return (
    <form className={classes.form} onSubmit={form.save} noValidate aria-label="Answer times">
      <fieldset disabled={!editable} className={classes.fields}>
        <div className={fieldsClasses.pair}>
          <TextInput
            label="First answer within (minutes)"
            description="To a lead that nobody has answered before."
            {...minutes('first_answer_min')}
          />
          <TextInput
            label="Next answers within (minutes)"
            description="To every later message."
            {...minutes('next_answer_min')}
          />
        </div>
        <TextInput
          label="Escalate after (minutes)"
          description="When an answer has been late for so long, admins are notified and workflows can react."
          {...minutes('escalate_after_min')}
          placeholder="Never"
        />
        <Select
          label="Time zone"
          description="The hours below are in this time zone."
          data={[...new Set([fields.timezone, ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          value={fields.timezone}
          error={faultOf('timezone')}
          searchable
          allowDeselect={false}
          onChange={timezone => timezone && set({ timezone })}
        />
        <WeekEditor week={fields.week} set={week => set({ week })} faultOf={faultOf} editable={editable} />
        {faultOf('hours') && <p role="alert">{faultOf('hours')}</p>}
        <NewSenders
          about="When they write to the mailbox of this installation, by text message or by WhatsApp. Connected mailboxes have a setting of their own."
          creates={fields.creates_leads}
          set={creates_leads => set({ creates_leads })}
        />
        <AgentChoice
          agent_id={fields.agent_id}
          agent_mode={fields.agent_mode}
          set={choice => set(choice)}
          fault={faultOf}
        />
        <Checkbox
          label="Agents say that they are an AI"
          description="In their first answer of a conversation. If this is off, each agent decides."
          checked={fields.agents_say_ai}
          onChange={event => set({ agents_say_ai: event.currentTarget.checked })}
        />
      </fieldset>
      {editable && <SettingsSave form={form} />}
    </form>
  )
}

async function write(body: Change, ifMatch?: string): Promise<ConversationSettings> {
  return put(await api('PATCH /api/conversations/settings', { body, ...(ifMatch && { ifMatch }) }))
}

async function reload(): Promise<ConversationSettings> {
  return put(await api('GET /api/conversations/settings'))
}

function put(settings: ConversationSettings): ConversationSettings {
  queryClient.setQueryData<ConversationSettings>(cacheKeys.conversationSettings, settings)
  return settings
}
