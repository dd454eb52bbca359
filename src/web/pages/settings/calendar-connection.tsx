import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calendar } from '#domains/meetings/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { cacheKeys } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { calendarQuery, putCalendar } from '../../records/meetings/meetings-cache.ts'
import { Fact, Facts } from '../../ui/drawer.tsx'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import cardClasses from '../../ui/card.module.css'
import classes from './meeting-settings.module.css'
import form from './outreach-settings.module.css'
import { meetings } from '../../records/meetings/store.ts'

const ADDRESS_LENGTH_MAX = 2_000
const TEXT_LENGTH_MAX = 500

/** Rapport's own calendar, or an external one connected to it. */
export function CalendarConnection({ editable }: { editable: boolean }) {
  const { data: calendar, error, isError, refetch } = useQuery(calendarQuery)
  const [isOpen, setOpen] = useState(false)
  if (isError && !calendar) return <Fault error={error} retry={() => void refetch()} />
  if (!calendar) return <Bar width="100%" height={88} />
  if (calendar.kind === 'caldav') return <Connected calendar={calendar} editable={editable} />
  return (
    <div className={`${cardClasses.card} ${classes.card}`}>
      <div className={classes.cardHead}>
        <h3>Built in</h3>
        <Dotted tone="green">Ready</Dotted>
      </div>
      <p className={textClasses.dim}>
        Your meetings are kept in Rapport. Connect your own calendar to block its busy times and to add your
        meetings to it.
      </p>
      {editable && !isOpen && (
        <Button variant="default" onClick={() => setOpen(true)}>
          Connect a CalDAV calendar
        </Button>
      )}
      {editable && isOpen && <Connect close={() => setOpen(false)} />}
    </div>
  )
}

function Connected({ calendar, editable }: { calendar: Calendar; editable: boolean }) {
  const [asked, setAsked] = useState(false)
  const isWell = calendar.state === 'OK'
  const name = calendar.calendar_name ?? 'the calendar'

  async function disconnect() {
    await api('DELETE /api/meetings/calendar')
    await queryClient.invalidateQueries({ queryKey: cacheKeys.calendar })
    void meetings.refresh()
    toast(`Disconnected ${name}`)
  }

  return (
    <div className={`${cardClasses.card} ${classes.card}`}>
      <div className={classes.cardHead}>
        <h3>{calendar.calendar_name ?? 'CalDAV calendar'}</h3>
        <Dotted tone={isWell ? 'green' : 'red'}>{isWell ? 'Connected' : 'Not reachable'}</Dotted>
      </div>
      {!isWell && (
        <p className={textClasses.bad} role="alert">
          {calendar.note ?? 'It does not respond.'} Until it does, its last known busy times apply.
        </p>
      )}
      <Facts>
        <Fact name="Server">{calendar.server_url}</Fact>
        <Fact name="Username">{calendar.username}</Fact>
        {calendar.calendar_url && (
          <Fact name="Calendar URL">
            <code>{calendar.calendar_url}</code>
          </Fact>
        )}
        <Fact name="Last synced">{calendar.read_at ? <Time at={calendar.read_at} /> : 'Not yet'}</Fact>
      </Facts>
      {editable && (
        <div>
          <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAsked(true)}>
            Disconnect
          </Button>
        </div>
      )}
      {asked && (
        <Confirm
          title={`Disconnect ${name}?`}
          verb={`Disconnect ${name}`}
          act={disconnect}
          close={() => setAsked(false)}
        >
          Its busy times no longer block bookings, and new meetings are not added to it. Existing events stay.
        </Confirm>
      )}
    </div>
  )
}

type Login = { server_url: string; username: string; password: string; calendar_url: string }
const empty: Login = { server_url: '', username: '', password: '', calendar_url: '' }

/** The server tests the connection before saving it, and reports what is wrong. */
function Connect({ close }: { close: () => void }) {
  const [fields, setFields] = useState(empty)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { busy, submit } = useSubmit(connect, error => setFaults(faultsByField(error, Object.keys(empty))))

  async function connect() {
    const wrong = {
      ...(!/^https?:\/\/\S+$/.test(fields.server_url.trim()) && {
        server_url: 'Enter a URL that starts with https://',
      }),
      ...(!fields.username.trim() && { username: 'Enter your username' }),
      ...(!fields.password && { password: 'Enter your password' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    const { server_url, username, password, calendar_url } = fields
    const calendar = await api('PUT /api/meetings/calendar', {
      body: {
        server_url: server_url.trim(),
        username: username.trim(),
        password,
        ...(calendar_url.trim() && { calendar_url: calendar_url.trim() }),
      },
    })
    putCalendar(calendar)
    toast(`Connected ${calendar.calendar_name ?? 'the calendar'}`)
  }

  const field = (name: keyof Login) => ({
    value: fields[name],
    error: faults[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setFields({ ...fields, [name]: event.currentTarget.value })
      setFaults({})
    },
  })

  return (
    <form className={form.form} onSubmit={submit} noValidate aria-label="Connect a calendar">
      <TextInput
        label="Server URL"
        placeholder="https://cloud.example.com/remote.php/dav"
        type="url"
        spellCheck={false}
        autoComplete="off"
        maxLength={ADDRESS_LENGTH_MAX}
        {...field('server_url')}
      />
      <div className={fieldsClasses.pair}>
        <TextInput label="Username" autoComplete="off" maxLength={TEXT_LENGTH_MAX} {...field('username')} />
        <TextInput
          label="Password"
          type="password"
          description="Use an app password if there is one. Stored encrypted."
          autoComplete="new-password"
          maxLength={TEXT_LENGTH_MAX}
          {...field('password')}
        />
      </div>
      <TextInput
        label="Calendar URL"
        description="Optional. Default: the first calendar that accepts events."
        type="url"
        spellCheck={false}
        autoComplete="off"
        maxLength={ADDRESS_LENGTH_MAX}
        {...field('calendar_url')}
      />
      {faults[''] && (
        <p className={textClasses.bad} role="alert">
          {faults['']}
        </p>
      )}
      <Group gap="sm">
        <Button type="submit" loading={busy}>
          Connect
        </Button>
        <Button variant="subtle" color="gray" onClick={close}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
