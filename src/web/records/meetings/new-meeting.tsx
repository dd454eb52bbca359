import { Button, Group, Modal, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { paths } from '../../paths.ts'
import { inWords, isProblem } from '../../problem.ts'
import { useMembers, useUser } from '../../queries.ts'
import { close, opened } from '../../ui/opened.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { toastWithAction } from '../../ui/toast.ts'
import { asSentence } from '../../ui/words.ts'
import { leadName } from '../leads/fields.ts'
import { LeadSelect } from '../record-select.tsx'
import { preset } from './open-new-meeting.ts'
import { takenInstead } from './taken.ts'
import { instantOf, whenOf } from './when.ts'
import { WhenFields } from './when-fields.tsx'
import { minutesInWords } from './words.ts'
import { shortDayIn, timeIn } from '../../ui/zones.ts'
import classes from '../../ui/field-page.module.css'
import { leads } from '../leads/store.ts'
import { meetings } from './store.ts'

const TEXT_LENGTH_MAX = 500
const durations = [15, 20, 30, 45, 60, 90, 120]

/** The dialog that books a meeting: with whom, who hosts, and one of the free times. */
export function NewMeeting() {
  const navigate = useNavigate()
  const from = preset.use(now => now)
  const me = useUser().id
  const members = useMembers()
  const [lead_id, setLead] = useState<string | null>(from.lead_id ?? null)
  const [chosenHost, setHost] = useState(from.host_id)
  const [duration, setDuration] = useState<number>()
  const [when, setWhen] = useState(() => whenOf(from.starts_at))
  const [title, setTitle] = useState('')
  const [location, setLocation] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [instead, setInstead] = useState<string[]>()
  const [busy, setBusy] = useState(false)
  const lead = useQuery({ ...leads.query(lead_id ?? ''), enabled: lead_id !== null }).data
  const hosts = members.filter(({ role }) => role !== 'VIEWER')
  // Whoever looks after the lead meets it, unless somebody else is chosen.
  const owner = hosts.find(({ id }) => id === lead?.owner_id)?.id
  const host_id = chosenHost ?? owner ?? me
  const guest = { name: lead ? leadName(lead) : 'the guest', zone: lead?.timezone ?? null }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const starts_at = instantOf(when)
    const wrong = {
      ...(!lead_id && { lead_id: 'Choose whom to meet' }),
      ...(!starts_at && { starts_at: 'Choose a time' }),
    }
    setFaults(wrong)
    if (!lead_id || !starts_at) return
    setBusy(true)
    setInstead(undefined)
    try {
      const meeting = await meetings.create({
        lead_id,
        starts_at,
        host_id,
        ...(duration && { duration_min: duration }),
        ...(title.trim() && { title: title.trim() }),
        ...(location.trim() && { location: location.trim() }),
      })
      close()
      tellOf(meeting)
    } catch (error) {
      const taken = takenInstead(error)
      if (taken) {
        setInstead(taken)
        void meetings.refresh()
      } else setFaults(faultsFrom(error))
      setBusy(false)
    }
  }

  function tellOf(meeting: Meeting) {
    toastWithAction(
      `Booked: ${guest.name}, ${shortDayIn(meeting.starts_at)}, ${timeIn(meeting.starts_at)}`,
      'Show',
      () =>
        void navigate({
          to: paths.meetings,
          search: { day: whenOf(meeting.starts_at).day, meeting: meeting.id },
        }),
    )
  }

  return (
    <>
      <FocusBack />
      <Modal
        opened={opened.use(now => now === 'new-meeting')}
        onClose={close}
        title="New meeting"
        size={560}
        yOffset="6vh"
      >
        <form onSubmit={event => void submit(event)} noValidate>
          <div className={classes.fields}>
            <LeadSelect
              label="With the lead"
              value={lead_id}
              set={id => {
                setLead(id)
                setFaults({})
              }}
              error={faults.lead_id}
              autoFocus={!from.lead_id}
            />
            <Select
              label="Host"
              data={hosts.map(({ id, name, email }) => ({ value: id, label: name || email }))}
              value={host_id}
              allowDeselect={false}
              error={faults.host_id}
              onChange={id => id && setHost(id)}
            />
            <div className={classes.wide}>
              <WhenFields
                host_id={host_id}
                duration={duration}
                when={when}
                set={next => {
                  setWhen(next)
                  setInstead(undefined)
                  setFaults({})
                }}
                guest={guest}
                fault={faults.starts_at}
                instead={instead}
              />
            </div>
            <Select
              label="Length"
              data={[
                { value: '', label: 'As usual' },
                ...durations.map(minutes => ({ value: String(minutes), label: minutesInWords(minutes) })),
              ]}
              value={duration ? String(duration) : ''}
              allowDeselect={false}
              onChange={minutes => setDuration(Number(minutes) || undefined)}
            />
            <TextInput
              label="Place"
              placeholder="As usual"
              value={location}
              maxLength={TEXT_LENGTH_MAX}
              error={faults.location}
              autoComplete="off"
              onChange={event => setLocation(event.currentTarget.value)}
            />
            <TextInput
              className={classes.wide}
              label="Title"
              placeholder="As usual"
              value={title}
              maxLength={TEXT_LENGTH_MAX}
              error={faults.title}
              autoComplete="off"
              onChange={event => setTitle(event.currentTarget.value)}
            />
          </div>
          {faults[''] && (
            <Text role="alert" c="var(--mantine-color-error)" mt="md">
              {faults['']}
            </Text>
          )}
          <Text c="dimmed" mt="md">
            {!lead || lead.email
              ? `An invitation goes to ${lead?.email ?? 'the guest'} and the host.`
              : `${guest.name} has no e-mail address: only the host gets an invitation.`}
          </Text>
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Book meeting
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}

const shown = ['lead_id', 'host_id', 'starts_at', 'title', 'location']

function faultsFrom(error: unknown): Record<string, string> {
  if (!isProblem(error, 422) || error.errors.length === 0) return { '': inWords(error) }
  return Object.fromEntries(
    error.errors.map(({ path, message }) => [shown.includes(path) ? path : '', asSentence(message)]),
  )
}
