import { TextInput } from '@mantine/core'
import { Section } from '../../ui/page-head.tsx'
import type { AgentDraft } from './use-agent-draft.ts'
import classes from './agent-page.module.css'

/** At which number it is reached, and at which it reaches a person. */
export function PhonePart({ draft: { fields, set, fault } }: { draft: AgentDraft }) {
  return (
    <Section title="Phone" about="Numbers are written with their country, like +49 30 123456.">
      <div className={classes.narrow}>
        <TextInput
          label="It answers at"
          description="Calls to this number are taken by this agent, and calls it makes show this number. A number belongs to one agent."
          placeholder="No number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={fields.phone_number}
          error={fault('phone_number')}
          onChange={event => set({ phone_number: event.currentTarget.value })}
        />
        <TextInput
          label="It hands over to"
          description="The number of somebody of you, for callers who want a person. Its tool Hand over to a person needs it."
          placeholder="Nobody"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={fields.transfer_to}
          error={fault('transfer_to')}
          onChange={event => set({ transfer_to: event.currentTarget.value })}
        />
      </div>
    </Section>
  )
}
