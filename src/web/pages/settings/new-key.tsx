// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Checkbox, Radio, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { KEY_LIFE_DAYS, SERVICE_NAME_LENGTH_MAX } from '#domains/identity/values.ts'
import { allScopes, scopes, type Scope } from '#platform/scopes.ts'
import { api } from '../../api.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { KeyShown } from './key-shown.tsx'
import classes from '../../ui/scopes.module.css'

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]

type Faults = { name?: string; scopes?: string; service?: string; other?: string }

/** Asks for a name and permissions, then shows the key once. */
export function NewKey({ close, created }: { close: () => void; created: () => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(['leads:read'])
  const [days, setDays] = useState(String(KEY_LIFE_DAYS))
  const [owner, setOwner] = useState<'me' | 'service'>('me')
  const [service, setService] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [key, setKey] = useState<string>()

  async function create() {
    const found = {
      ...(!name.trim() && { name: 'Enter a name' }),
      ...(chosen.length === 0 && { scopes: 'Choose at least one permission' }),
      ...(owner === 'service' && !service.trim() && { service: 'Enter a service name' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    const body = {
      name: name.trim(),
      scopes: chosen,
      service: owner === 'service' ? service.trim() : null,
      expires_in_days: days ? Number(days) : null,
    }
    setKey((await api('POST /api/keys', { body })).key)
    created()
  }

  if (key) return <KeyShown name={name.trim()} value={key} close={close} />
  return (
    <FormDialog
      title="New API key"
      size={560}
      yOffset="6vh"
      verb="Create key"
      act={create}
      refused={error => setFaults({ other: inWords(error) })}
      close={close}
    >
      <TextInput
        label="Name"
        description="What the key is used for"
        value={name}
        maxLength={200}
        error={faults.name}
        data-autofocus
        onChange={event => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label="Permissions"
        value={chosen}
        onChange={values => setChosen(values as Scope[])}
        error={faults.scopes}
      >
        <div className={classes.scopes}>
          {allScopes.map(scope => (
            <Checkbox key={scope} value={scope} label={scopes[scope]} />
          ))}
        </div>
      </Checkbox.Group>
      <Radio.Group label="Owner" value={owner} onChange={value => setOwner(value as typeof owner)}>
        <div className={classes.scopes}>
          <Radio
            size="xs"
            value="me"
            label="Me"
            description="Limited to your permissions, ends when you leave the team"
          />
          <Radio
            size="xs"
            value="service"
            label="A service"
            description="Works until it expires or is revoked, even if people leave"
          />
        </div>
      </Radio.Group>
      {owner === 'service' && (
        <TextInput
          label="Service name"
          placeholder="Billing export"
          value={service}
          maxLength={SERVICE_NAME_LENGTH_MAX}
          error={faults.service}
          onChange={event => setService(event.currentTarget.value)}
        />
      )}
      <Select
        label="Expiration"
        data={lives}
        value={days}
        allowDeselect={false}
        onChange={value => setDays(value ?? '')}
        maw={200}
        error={faults.other}
      />
    </FormDialog>
  )
}
