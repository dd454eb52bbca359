import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { Agent } from '#domains/agents/contract.ts'
import { FACTS_LENGTH_MAX } from '#domains/agents/values.ts'
import { Section } from '../../ui/page-head.tsx'
import { ownZone } from '../../ui/zones.ts'
import type { AgentDraft } from './use-agent-draft.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './agent-page.module.css'

const counts = [0, 1, 2, 3, 5, 10, 20, 50]
const sure = [
  { value: '0', label: 'Always answer' },
  { value: '0.4', label: 'A little sure' },
  { value: '0.6', label: 'Fairly sure' },
  { value: '0.8', label: 'Very sure' },
]
const WORKING_DAYS = [1, 2, 3, 4, 5]

/** How the agent answers by email, text message and web chat, and when a person takes over. */
export function TextPart({ draft: { fields, set, fault } }: { draft: AgentDraft }) {
  const { text } = fields
  const put = (change: Partial<Agent['text']>) => set({ text: { ...text, ...change } })
  const levels = sure.some(({ value }) => Number(value) === text.confidence_min)
    ? sure
    : [...sure, { value: String(text.confidence_min), label: `At least ${text.confidence_min}` }]
  return (
    <Section
      title="Email, SMS and chat"
      about="What it answers from, and when a person of the team takes over. Conversations say which agent answers in them."
    >
      <div className={fieldsClasses.pair}>
        <Textarea
          className={fieldsClasses.wide}
          label="Facts"
          description="It answers only from these and from your saved replies."
          autosize
          minRows={4}
          maxRows={20}
          value={text.facts ?? ''}
          maxLength={FACTS_LENGTH_MAX}
          onChange={event => put({ facts: event.currentTarget.value })}
        />
        <Textarea
          className={fieldsClasses.wide}
          label="Topics"
          description="What it may answer about, one per line. If empty: everything in its facts and your saved replies."
          autosize
          minRows={2}
          maxRows={10}
          value={text.topics.join('\n')}
          onChange={event => put({ topics: event.currentTarget.value.split('\n') })}
        />
        <Select
          label="Answers before a person takes over"
          data={[...new Set([...counts, text.answers_max])].toSorted((a, b) => a - b).map(String)}
          value={String(text.answers_max)}
          allowDeselect={false}
          onChange={value => value && put({ answers_max: Number(value) })}
        />
        <Select
          label="Answers only if it is"
          data={levels}
          value={String(text.confidence_min)}
          allowDeselect={false}
          onChange={value => value && put({ confidence_min: Number(value) })}
        />
      </div>
      <div className={classes.group}>
        <Hours text={text} put={put} fault={fault('text')} />
        <Checkbox
          label="Says that it is an AI"
          description="In its first answer of a conversation. Your team may require it."
          checked={text.says_it_is_ai}
          onChange={event => put({ says_it_is_ai: event.currentTarget.checked })}
        />
      </div>
    </Section>
  )
}

type HoursProps = {
  text: Agent['text']
  put: (change: Partial<Agent['text']>) => void
  fault: string | undefined
}

/** The same on all working days; other hours are set by the API, and kept. */
function Hours({ text: { hours }, put, fault }: HoursProps) {
  const [first] = hours?.spans ?? []
  const isEven =
    first !== undefined &&
    hours?.spans.length === WORKING_DAYS.length &&
    hours.spans.every(
      ({ day, from, until }, at) => day === at + 1 && from === first.from && until === first.until,
    )
  const span = (from: string, until: string) =>
    put({
      hours: {
        timezone: hours?.timezone ?? ownZone,
        spans: WORKING_DAYS.map(day => ({ day, from, until })),
      },
    })
  return (
    <>
      <Checkbox
        label="Answers only from Monday to Friday"
        description={hours ? `Time zone: ${hours.timezone}. At other times a person takes over.` : undefined}
        checked={hours !== null}
        onChange={event => (event.currentTarget.checked ? span('09:00', '17:00') : put({ hours: null }))}
      />
      {hours && !isEven && <p>Its hours differ from day to day. Clear the box to remove them.</p>}
      {isEven && (
        <div className={fieldsClasses.two}>
          <TextInput
            type="time"
            label="Answers from"
            value={first.from}
            error={fault}
            onChange={event => span(event.currentTarget.value, first.until)}
          />
          <TextInput
            type="time"
            label="Answers until"
            value={first.until}
            onChange={event => span(first.from, event.currentTarget.value)}
          />
        </div>
      )}
    </>
  )
}
