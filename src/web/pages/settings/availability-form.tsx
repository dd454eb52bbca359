import { Button, Checkbox, NativeSelect, Select, Textarea, TextInput } from '@mantine/core'
import type { Availability, AvailabilityChange } from '#domains/meetings/contract.ts'
import { api } from '../../api.ts'
import { Section } from '../../ui/page-head.tsx'
import { asSentence } from '../../ui/words.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { putAvailability } from '../../records/meetings/meetings-cache.ts'
import { ownZone } from '../../ui/zones.ts'
import { availabilityChoices, type Numbered } from './availability-choices.ts'
import { changeOf, faultsOf, fieldsOf } from './availability-fields.ts'
import { ExceptionsEditor } from './exceptions-editor.tsx'
import { WeekEditor } from './hours-editor.tsx'
import { SettingsSave } from './settings-save.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import copyLineClasses from '../../ui/copy-line.module.css'
import classes from './meeting-settings.module.css'
import form from './outreach-settings.module.css'

const TEXT_LENGTH_MAX = 500
const WELCOME_LENGTH_MAX = 20_000
const SLUG_LENGTH_MAX = 60

type Props = { availability: Availability; editable: boolean }

export function AvailabilityForm({ availability, editable }: Props) {
  const saving = useSettingsForm(availability, {
    fieldsOf,
    changeOf,
    faultsOf,
    write,
    reload,
    saved: 'Saved your meeting settings',
  })
  const { base, fields, faults, set } = saving
  const faultOf = (name: string) => {
    const own = faults.find(({ path }) => path === name || path.startsWith(`${name}.`))
    return own && asSentence(own.message)
  }
  const text = (name: 'title' | 'location' | 'welcome') => ({
    value: fields[name],
    error: faultOf(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const numbered = (name: Numbered) => ({
    data: availabilityChoices(name, fields[name]),
    value: fields[name] === null ? '' : String(fields[name]),
    error: faultOf(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value === '' ? null : Number(event.currentTarget.value) }),
  })

  return (
    <form onSubmit={saving.save} noValidate aria-label="Availability">
      <fieldset disabled={!editable} className={form.fields}>
        <Section title="Working hours" about="Your bookable hours, highlighted in the calendar.">
          <div className={form.fields}>
            <Zone zone={fields.timezone} set={timezone => set({ timezone })} editable={editable} />
            <WeekEditor
              week={fields.week}
              set={week => set({ week })}
              faultOf={faultOf}
              editable={editable}
            />
            {faultOf('hours') && (
              <p className={textClasses.bad} role="alert">
                {faultOf('hours')}
              </p>
            )}
          </div>
        </Section>
        <Section title="Date overrides" about="Days off and different hours on specific dates.">
          <ExceptionsEditor
            exceptions={fields.exceptions}
            set={exceptions => set({ exceptions })}
            faultOf={faultOf}
            editable={editable}
          />
        </Section>
        <Section title="Meeting defaults" about="Used for new meetings unless changed.">
          <div className={form.fields}>
            <div className={fieldsClasses.pair}>
              <TextInput label="Title" maxLength={TEXT_LENGTH_MAX} {...text('title')} />
              <TextInput
                label="Location"
                placeholder="Link, phone number or address"
                maxLength={TEXT_LENGTH_MAX}
                {...text('location')}
              />
            </div>
            <div className={classes.numbers}>
              <NativeSelect label="Duration" {...numbered('duration_min')} />
              <NativeSelect label="Buffer before" {...numbered('buffer_before_min')} />
              <NativeSelect label="Buffer after" {...numbered('buffer_after_min')} />
              <NativeSelect label="Minimum notice" {...numbered('notice_min')} />
              <NativeSelect label="Booking window" {...numbered('horizon_days')} />
              <NativeSelect label="Daily limit" {...numbered('per_day_max')} />
            </div>
          </div>
        </Section>
        <Section title="Booking page" about="Anyone with the link can book one of your free times.">
          <div className={form.fields}>
            <Checkbox
              label="Accept bookings"
              checked={fields.active}
              onChange={event => set({ active: event.currentTarget.checked })}
            />
            <BookingAddress availability={base} />
            <TextInput
              label="Booking URL"
              description="The last part. Old links stop working."
              value={fields.slug}
              error={faultOf('slug')}
              maxLength={SLUG_LENGTH_MAX}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              onChange={event => set({ slug: event.currentTarget.value.toLowerCase() })}
            />
            <Textarea
              label="Welcome message"
              description="Shown above the free times."
              rows={3}
              maxLength={WELCOME_LENGTH_MAX}
              {...text('welcome')}
            />
          </div>
        </Section>
      </fieldset>
      {editable && <SettingsSave form={saving} className={classes.save} />}
    </form>
  )
}

type ZoneProps = { zone: string; set: (zone: string) => void; editable: boolean }

function Zone({ zone, set, editable }: ZoneProps) {
  return (
    <div className={classes.zone}>
      <Select
        label="Time zone"
        description="The hours below are in this time zone."
        data={[...new Set([zone, ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={zone}
        searchable
        allowDeselect={false}
        onChange={next => next && set(next)}
      />
      {editable && zone !== ownZone && (
        <Button size="xs" variant="default" onClick={() => set(ownZone)}>
          Use {ownZone.replaceAll('_', ' ')} (this device)
        </Button>
      )}
    </div>
  )
}

/** The saved URL, not the one being typed. */
function BookingAddress({ availability: { booking_url, active } }: { availability: Availability }) {
  return (
    <div className={copyLineClasses.box}>
      <code>{booking_url}</code>
      <CopyIcon what="the booking link" value={booking_url} />
      {active ? (
        <Button size="xs" variant="default" component="a" href={booking_url} target="_blank" rel="noreferrer">
          Open
        </Button>
      ) : (
        <span className={textClasses.dim}>Closed</span>
      )}
    </div>
  )
}

async function write(body: AvailabilityChange, ifMatch?: string): Promise<Availability> {
  const saved = await api('PATCH /api/meetings/availability', { body, ...(ifMatch && { ifMatch }) })
  putAvailability(saved)
  return saved
}

async function reload(): Promise<Availability> {
  const availability = await api('GET /api/meetings/availability')
  putAvailability(availability)
  return availability
}
