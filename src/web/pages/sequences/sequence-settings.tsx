import { Checkbox, Select, Stack } from '@mantine/core'
import type { SequenceSettings as Settings, SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { DAILY_CAP_MAX, type delayUnits } from '#domains/sequences/values.ts'
import { PageBody, Section } from '../../ui/page-head.tsx'
import { count } from '../../ui/words.ts'
import { SavedInput } from '../../ui/saved-input.tsx'
import { WindowSettings } from './window-settings.tsx'
import { sequences } from '../../records/sequences/store.ts'

const NAME_LENGTH_MAX = 200

type Props = { sequence: SequenceWithWarnings }

/** When and how the sequence sends, and what ends it; it takes effect at once, for whoever is under way as well. */
export function SequenceSettings({ sequence }: Props) {
  return (
    <PageBody>
      <Section title="This sequence">
        <Stack maw={480}>
          <SavedInput
            label="Name"
            value={sequence.name}
            canWrite
            maxLength={NAME_LENGTH_MAX}
            save={text =>
              text.trim()
                ? void sequences.change(sequence.id, { name: text.trim() }, `Renamed to ${text.trim()}`)
                : 'A sequence needs a name'
            }
          />
        </Stack>
      </Section>
      <Section
        title="When it sends"
        about="In the time zone of the lead. What falls due outside of these times waits for the next."
      >
        <Stack gap="md" maw={480}>
          <WindowSettings sequence={sequence} />
          <TimeZone sequence={sequence} />
          <DailyCap sequence={sequence} />
          <DelayUnit sequence={sequence} />
        </Stack>
      </Section>
      <Section
        title="What ends it"
        about="For the lead it happened to, on all channels. Bounces, complaints and unsubscribing always end it."
      >
        <Stack gap="sm">
          <StopRule sequence={sequence} rule="reply" label="A reply" />
          <StopRule sequence={sequence} rule="meeting_booked" label="A meeting is booked" />
        </Stack>
      </Section>
      <Section title="What is counted" about="Conditions can only ask for what is counted.">
        <Stack gap="sm">
          <Toggle
            sequence={sequence}
            name="track_opens"
            label="Count opened mails"
            about="By a small picture in the mail. Programs that open every mail are told apart."
            say={is => (is ? 'Opened mails are counted' : 'Opened mails are no longer counted')}
          />
          <Toggle
            sequence={sequence}
            name="track_clicks"
            label="Count clicked links"
            about="Links lead through this server."
            say={is => (is ? 'Clicked links are counted' : 'Clicked links are no longer counted')}
          />
        </Stack>
      </Section>
      <Section title="Icebreakers">
        <Toggle
          sequence={sequence}
          name="review_icebreakers"
          label="A person approves each icebreaker before it is sent"
          about="Until then the mail waits. Icebreakers are found under Leads, at each lead."
          say={is => (is ? 'Icebreakers wait for approval' : 'Icebreakers are sent as they are written')}
        />
      </Section>
    </PageBody>
  )
}

function TimeZone({ sequence }: Props) {
  return (
    <Select
      label="Time zone for leads without one"
      placeholder="UTC"
      data={Intl.supportedValuesOf('timeZone')}
      value={sequence.settings.timezone}
      searchable
      clearable
      limit={100}
      clearButtonProps={{ 'aria-label': 'Use UTC' }}
      nothingFoundMessage="Nothing found"
      onChange={timezone =>
        void sequences.change(sequence.id, { timezone }, `Leads without a time zone: ${timezone ?? 'UTC'}`)
      }
    />
  )
}

function DailyCap({ sequence }: Props) {
  const { daily_cap } = sequence.settings
  function save(text: string): string | undefined {
    const cap = text.trim() === '' ? null : Number(text)
    if (cap !== null && (!Number.isInteger(cap) || cap < 1 || cap > DAILY_CAP_MAX))
      return `A number from 1 to ${count(DAILY_CAP_MAX)}, or nothing`
    const say = cap === null ? 'No limit of the day any more' : `At most ${count(cap)} messages a day`
    void sequences.change(sequence.id, { daily_cap: cap }, say)
    return undefined
  }
  return (
    <SavedInput
      label="Messages a day, at most"
      value={daily_cap === null ? '' : String(daily_cap)}
      placeholder="No limit"
      canWrite
      maxLength={6}
      save={save}
    />
  )
}

type Unit = (typeof delayUnits)[number]

function DelayUnit({ sequence }: Props) {
  return (
    <Select
      label="Days between steps"
      data={[
        { value: 'calendar_days', label: 'Every day counts' },
        { value: 'working_days', label: 'Only Monday to Friday count' },
      ]}
      value={sequence.settings.delay_unit}
      allowDeselect={false}
      onChange={value =>
        value &&
        void sequences.change(
          sequence.id,
          { delay_unit: value as Unit },
          'Changed which days count between steps',
        )
      }
    />
  )
}

type Rule = keyof Settings['stop_rules']

function StopRule({ sequence, rule, label }: Props & { rule: Rule; label: string }) {
  const rules = sequence.settings.stop_rules
  return (
    <Checkbox
      label={label}
      checked={rules[rule]}
      onChange={event => {
        const is = event.currentTarget.checked
        const say = `${label}: ${is ? 'ends the sequence' : 'no longer ends the sequence'}`
        void sequences.change(sequence.id, { stop_rules: { ...rules, [rule]: is } }, say)
      }}
    />
  )
}

type ToggleProps = Props & {
  name: 'track_opens' | 'track_clicks' | 'review_icebreakers'
  label: string
  about: string
  say: (is: boolean) => string
}

function Toggle({ sequence, name, label, about, say }: ToggleProps) {
  return (
    <Checkbox
      label={label}
      description={about}
      checked={sequence.settings[name]}
      onChange={event => {
        const is = event.currentTarget.checked
        void sequences.change(sequence.id, { [name]: is }, say(is))
      }}
    />
  )
}
