import { Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { allScopes, scopes, type Scope } from '#platform/scopes.ts'
import { api } from '../../api.ts'
import { inWords } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { KeyShown } from './key-shown.tsx'
import classes from './new-key.module.css'

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]

/** Asks for a name and permissions, then shows the key this one time. */
export function NewKey({ close, created }: { close: () => void; created: () => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(['leads:read'])
  const [days, setDays] = useState('90')
  const [faults, setFaults] = useState<{ name?: string; scopes?: string; other?: string }>({})
  const [busy, setBusy] = useState(false)
  const [key, setKey] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = {
      ...(!name.trim() && { name: 'A key needs a name' }),
      ...(chosen.length === 0 && { scopes: 'Choose at least one permission' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      const body = { name: name.trim(), scopes: chosen, ...(days && { expires_in_days: Number(days) }) }
      setKey((await api('POST /api/keys', { body })).key)
      created()
    } catch (error) {
      setFaults({ other: inWords(error) })
      setBusy(false)
    }
  }

  if (key) return <KeyShown name={name.trim()} value={key} close={close} />
  return (
    <Modal opened onClose={close} title="New API key" size={560} yOffset="6vh">
      <FocusBack />
      <form onSubmit={event => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="What will use it, so that you know it again"
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
          <Select
            label="Expires after"
            data={lives}
            value={days}
            allowDeselect={false}
            onChange={value => setDays(value ?? '')}
            maw={200}
            error={faults.other}
          />
          <DialogEnd close={close} busy={busy}>
            Create key
          </DialogEnd>
        </Stack>
      </form>
    </Modal>
  )
}
