import { Autocomplete, Textarea, TextInput } from '@mantine/core'
import { GREETING_LENGTH_MAX, INSTRUCTIONS_LENGTH_MAX } from '#domains/agents/values.ts'
import { Section } from '../../ui/page-head.tsx'
import type { AgentDraft } from './use-agent-draft.ts'
import fieldsClasses from '../../ui/fields.module.css'

const TEXT_LENGTH_MAX = 500
/** Suggestions: other providers have other names. */
const models = ['gpt-realtime', 'gpt-realtime-mini']
const voices = ['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'marin', 'sage', 'shimmer', 'verse']

/** What the agent says and how it sounds. */
export function ConversationPart({ draft: { fields, set, fault } }: { draft: AgentDraft }) {
  return (
    <Section
      title="Conversation"
      about="What the agent is told before a call. The local time and the caller are added automatically."
    >
      <div className={fieldsClasses.pair}>
        <TextInput
          className={fieldsClasses.wide}
          label="Name"
          value={fields.name}
          maxLength={TEXT_LENGTH_MAX}
          error={fault('name')}
          autoComplete="off"
          onChange={event => set({ name: event.currentTarget.value })}
        />
        <Textarea
          className={fieldsClasses.wide}
          label="Instructions"
          description="Its role, goals, tone and limits."
          autosize
          minRows={8}
          maxRows={24}
          value={fields.instructions}
          maxLength={INSTRUCTIONS_LENGTH_MAX}
          error={fault('instructions')}
          onChange={event => set({ instructions: event.currentTarget.value })}
        />
        <Textarea
          className={fieldsClasses.wide}
          label="Greeting"
          description="Its first sentence, word for word. If empty, it chooses its own."
          autosize
          minRows={2}
          maxRows={6}
          value={fields.greeting}
          maxLength={GREETING_LENGTH_MAX}
          error={fault('greeting')}
          onChange={event => set({ greeting: event.currentTarget.value })}
        />
        <Autocomplete
          label="Model"
          placeholder="Default"
          data={models}
          value={fields.model}
          maxLength={TEXT_LENGTH_MAX}
          error={fault('model')}
          onChange={model => set({ model })}
        />
        <Autocomplete
          label="Voice"
          placeholder="Default"
          data={voices}
          value={fields.voice}
          maxLength={TEXT_LENGTH_MAX}
          error={fault('voice')}
          onChange={voice => set({ voice })}
        />
      </div>
    </Section>
  )
}
