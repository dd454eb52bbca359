import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useMembers, useUser } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { close } from '../../ui/opened.ts'
import { toastWithAction } from '../../ui/toast.ts'
import { leadName } from '../leads/fields.ts'
import { LeadSelect } from '../record-select.tsx'
import { preset } from './open-new-meeting.ts'
import { takenInstead } from './taken.ts'
import { instantOf, whenOf } from './when.ts'
import { WhenFields } from './when-fields.tsx'
import { minutesInWords } from './words.ts'
import { shortDayIn, timeIn } from '../../ui/zones.ts'
import fieldsClasses from '../../ui/fields.module.css'
import { leads } from '../leads/store.ts'
import { meetings } from './store.ts'

const TEXT_LENGTH_MAX = 500
const shown = ['lead_id', 'host_id', 'starts_at', 'title', 'location']
const durations = [15, 20, 30, 45, 60, 90, 120]

/** The dialog that books a meeting: lead, host and time. */
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
  const lead = useQuery({ ...leads.query(lead_id ?? ''), enabled: lead_id !== null }).data
  const hosts = members.filter(({ role }) => role !== 'VIEWER')
  // The owner of the lead hosts by default.
  const owner = hosts.find(({ id }) => id === lead?.owner_id)?.id
  const host_id = chosenHost ?? owner ?? me
  const guest = { name: lead ? leadName(lead) : 'the guest', zone: lead?.timezone ?? null }

  async function book() {
    const starts_at = instantOf(when)
    const wrong = {
      ...(!lead_id && { lead_id: 'Choose a lead' }),
      ...(!starts_at && { starts_at: 'Choose a time' }),
    }
    setFaults(wrong)
    if (!lead_id || !starts_at) return
    setInstead(undefined)
    const meeting = await meetings.create({
      lead_id,
      starts_at,
      host_id,
      ...(duration && { duration_min: duration }),
      ...(title.trim() && { title: title.trim() }),
      ...(location.trim() && { location: location.trim() }),
    })
    close()
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

  function refused(error: unknown) {
    const taken = takenInstead(error)
    if (!taken) return setFaults(faultsByField(error, shown))
    setInstead(taken)
    void meetings.refresh()
  }

  return (
    <FormDialog
      title="New meeting"
      size={560}
      yOffset="6vh"
      verb="Book meeting"
      act={book}
      refused={refused}
      fault={faults['']}
      close={close}
    >
      <div className={fieldsClasses.pair}>
        <LeadSelect
          label="Lead"
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
        <div className={fieldsClasses.wide}>
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
          label="Duration"
          data={[
            { value: '', label: 'Default' },
            ...durations.map(minutes => ({ value: String(minutes), label: minutesInWords(minutes) })),
          ]}
          value={duration ? String(duration) : ''}
          allowDeselect={false}
          onChange={minutes => setDuration(Number(minutes) || undefined)}
        />
        <TextInput
          label="Location"
          placeholder="Default"
          value={location}
          maxLength={TEXT_LENGTH_MAX}
          error={faults.location}
          autoComplete="off"
          onChange={event => setLocation(event.currentTarget.value)}
        />
        <TextInput
          className={fieldsClasses.wide}
          label="Title"
          placeholder="Default"
          value={title}
          maxLength={TEXT_LENGTH_MAX}
          error={faults.title}
          autoComplete="off"
          onChange={event => setTitle(event.currentTarget.value)}
        />
      </div>
      <Text c="dimmed">
        {!lead || lead.email
          ? `${lead?.email ?? 'The guest'} and the host get an invitation.`
          : `${guest.name} has no email address. Only the host gets an invitation.`}
      </Text>
    </FormDialog>
  )
}
