import { Button, Group, Modal, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Account } from '#domains/accounts/contract.ts'
import type { NewLead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { inWords, isProblem } from '../../problem.ts'
import { useUser } from '../../queries.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { toast } from '../../ui/toast.ts'
import { refreshLists } from '../../records/leads/cache.ts'
import { useFields } from '../../records/leads/choices.tsx'
import { FieldInput } from '../../records/leads/field-input.tsx'
import { leadName, toChange, type Values } from '../../records/leads/fields.ts'
import { parseInput } from '../../records/leads/input.ts'
import classes from '../../ui/dialog-fields.module.css'

const asked = ['first_name', 'last_name', 'email', 'phone', 'title']

type Props = { account: Account; close: () => void; made: () => void }

/** Somebody new at this account: the company is known already. */
export function NewLeadOf({ account, close, made }: Props) {
  const fields = useFields().filter(({ key }) => asked.includes(key))
  const user = useUser()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const values: Values = {}
    const found: Record<string, string> = {}
    for (const field of fields) {
      const parsed = parseInput(field, typed[field.key] ?? '')
      if ('fault' in parsed) found[field.key] = parsed.fault
      else if (parsed.value !== null) values[field.key] = parsed.value
    }
    if (Object.keys(values).length === 0 && Object.keys(found).length === 0)
      found.first_name = 'Somebody needs a name or an address'
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      const body: NewLead = {
        ...(toChange(values) as NewLead),
        company: account.name,
        account_id: account.id,
        owner_id: user.id,
      }
      const lead = await api('POST /api/crm/leads', { body })
      close()
      made()
      toast(`Created ${leadName(lead)}`)
      void refreshLists()
    } catch (error) {
      setFaults(faultsFrom(error))
      setBusy(false)
    }
  }

  return (
    <Modal opened onClose={close} title={`New lead of ${account.name}`} size={520}>
      <FocusBack />
      <form onSubmit={event => void submit(event)} noValidate>
        <div className={classes.fields}>
          {fields.map(field => (
            <FieldInput
              key={field.key}
              field={field}
              value={typed[field.key] ?? ''}
              set={value => setTyped(now => ({ ...now, [field.key]: value }))}
              error={faults[field.key]}
              autoFocus={field.key === 'first_name'}
            />
          ))}
        </div>
        {faults[''] && (
          <Text role="alert" c="var(--mantine-color-error)" mt="md">
            {faults['']}
          </Text>
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Create lead
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function faultsFrom(error: unknown): Record<string, string> {
  if (!isProblem(error, 422) || error.errors.length === 0) return { '': inWords(error) }
  return Object.fromEntries(
    error.errors.map(({ path, message }) => [path, message.charAt(0).toUpperCase() + message.slice(1)]),
  )
}
