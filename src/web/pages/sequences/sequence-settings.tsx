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

/** Schedule, stop rules and tracking. Changes take effect immediately, also for active leads. */
export function SequenceSettings({ sequence }: Props) {
  return (
    <PageBody>
      <Section title="General">
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
        title="Schedule"
        about="In the lead’s time zone. Steps due outside these hours wait for the next window."
      >
        <Stack gap="md" maw={480}>
          <WindowSettings sequence={sequence} />
          <TimeZone sequence={sequence} />
          <DailyCap sequence={sequence} />
          <DelayUnit sequence={sequence} />
        </Stack>
      </Section>
      <Section
        title="Stop when"
        about="Stops the sequence for that lead, on all channels. Bounces, complaints and unsubscribes always stop it."
      >
        <Stack gap="sm">
          <StopRule sequence={sequence} rule="reply" label="The lead replies" />
          <StopRule sequence={sequence} rule="meeting_booked" label="The lead books a meeting" />
        </Stack>
      </Section>
      <Section title="Tracking" about="Conditions can only use what is tracked.">
        <Stack gap="sm">
          <Toggle
            sequence={sequence}
            name="track_opens"
            label="Track opens"
            about="With a tracking pixel. Automatic opens are counted separately."
            say={is => (is ? 'Opens are tracked' : 'Opens are no longer tracked')}
          />
          <Toggle
            sequence={sequence}
            name="track_clicks"
            label="Track clicks"
            about="Links are redirected through this server."
            say={is => (is ? 'Clicks are tracked' : 'Clicks are no longer tracked')}
          />
        </Stack>
      </Section>
      <Section title="Icebreakers">
        <Toggle
          sequence={sequence}
          name="review_icebreakers"
          label="Require approval before an icebreaker is sent"
          about="The email waits until then. Open a lead on the Leads tab to review its icebreakers."
          say={is => (is ? 'Icebreakers need approval' : 'Icebreakers are sent without approval')}
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
      nothingFoundMessage="No matches"
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
      return `Enter a number from 1 to ${count(DAILY_CAP_MAX)}, or leave it empty`
    const say = cap === null ? 'No daily limit' : `At most ${count(cap)} messages a day`
    void sequences.change(sequence.id, { daily_cap: cap }, say)
    return undefined
  }
  return (
    <SavedInput
      label="Daily message limit"
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
      label="Count delays in"
      data={[
        { value: 'calendar_days', label: 'Calendar days' },
        { value: 'working_days', label: 'Working days (Monday to Friday)' },
      ]}
      value={sequence.settings.delay_unit}
      allowDeselect={false}
      onChange={value =>
        value &&
        void sequences.change(sequence.id, { delay_unit: value as Unit }, 'Changed how delays are counted')
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
        const say = `${label}: ${is ? 'sequence stops' : 'sequence continues'}`
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
