import { TextInput } from '@mantine/core'
import { Section } from '../../ui/page-head.tsx'
import type { AgentDraft } from './use-agent-draft.ts'
import classes from './agent-page.module.css'

/** The agent's own number, and the one it transfers calls to. */
export function PhonePart({ draft: { fields, set, fault } }: { draft: AgentDraft }) {
  return (
    <Section title="Phone" about="Include the country code, like +49 30 123456.">
      <div className={classes.narrow}>
        <TextInput
          label="Phone number"
          description="The agent answers calls to this number and calls from it. A number belongs to one agent."
          placeholder="No number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={fields.phone_number}
          error={fault('phone_number')}
          onChange={event => set({ phone_number: event.currentTarget.value })}
        />
        <TextInput
          label="Transfer calls to"
          description="A number of your team, for callers who want a person. Required by the tool Transfer to a person."
          placeholder="No number"
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
