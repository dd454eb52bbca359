import { Checkbox, Select } from '@mantine/core'
import { useMembers } from '../../queries.ts'
import type { ControlProps } from './control-props.ts'
import classes from './panel.module.css'

function usePeople(chosen: string | undefined) {
  const people = useMembers().map(({ id, name, email }) => ({ value: id, label: name || email }))
  const isGone = chosen && people.length > 0 && !people.some(({ value }) => value === chosen)
  return isGone ? [...people, { value: chosen, label: 'Former member' }] : people
}

export function Member({ label, value, set, fault }: ControlProps) {
  const chosen = typeof value === 'string' ? value : undefined
  const people = usePeople(chosen)
  return (
    <Select
      label={label}
      placeholder="Choose a person"
      data={people}
      value={chosen ?? null}
      error={fault}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      nothingFoundMessage="No matches"
      comboboxProps={{ shadow: 'md' }}
      onChange={id => set(id ?? undefined)}
    />
  )
}

/** Several people by round robin, in this order. */
export function Members({ label, value, set, fault }: ControlProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const people = usePeople(undefined)
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      {people.map(({ value: id, label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={event =>
            set(event.currentTarget.checked ? [...chosen, id] : chosen.filter(each => each !== id))
          }
        />
      ))}
      {fault && <p className={classes.fault}>{fault}</p>}
    </fieldset>
  )
}

const groups = [
  { value: 'owner', label: 'Lead owner' },
  { value: 'admins', label: 'Admins' },
  { value: 'everybody', label: 'Everyone on the team' },
]

export function Recipient({ label, value, set, fault }: ControlProps) {
  const chosen = typeof value === 'string' ? value : 'owner'
  const people = usePeople(groups.some(group => group.value === chosen) ? undefined : chosen)
  return (
    <Select
      label={label}
      description="If the lead has no owner, admins are notified"
      data={[
        { group: 'By role', items: groups },
        { group: 'People', items: people },
      ]}
      value={chosen}
      error={fault}
      allowDeselect={false}
      searchable
      comboboxProps={{ shadow: 'md' }}
      onChange={to => set(to === 'owner' ? undefined : (to ?? undefined))}
    />
  )
}
