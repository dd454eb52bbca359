import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { NewAccount as NewAccountBody } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { accountSettingsQuery, useUser } from '../../queries.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toastWithAction } from '../../ui/toast.ts'
import { optionValue, useOptions } from '../leads/choices.tsx'
import { FieldInput } from '../leads/field-input.tsx'
import type { Values } from '../leads/fields.ts'
import { parseInput } from '../leads/input.ts'
import { accountChange, accountFields } from './fields.ts'
import fieldsClasses from '../../ui/fields.module.css'
import { accounts } from './store.ts'

type Faults = Record<string, ReactNode>

/** The dialog for a new account. Errors from the server are shown at their fields. */
export function NewAccount({ close }: { close: () => void }) {
  const fields = accountFields(useQuery(accountSettingsQuery).data)
  const keys = fields.map(({ key }) => key)
  const options = useOptions()
  const navigate = useNavigate()
  const [typed, setTyped] = useState<Record<string, string>>({ owner_id: useUser().id })
  const [faults, setFaults] = useState<Faults>({})

  function read(): { values: Values; faults: Faults } {
    const values: Values = {}
    const faults: Faults = {}
    for (const field of fields) {
      const text = typed[field.key] ?? ''
      if (text === '' && field.nullable) continue
      if (options(field)) values[field.key] = optionValue(field, text)
      else {
        const parsed = parseInput(field, text)
        if ('fault' in parsed) faults[field.key] = parsed.fault
        else values[field.key] = parsed.value
      }
    }
    return { values, faults }
  }

  async function create() {
    const { values, faults } = read()
    setFaults(faults)
    if (Object.keys(faults).length) return
    const account = await api('POST /api/crm/accounts', { body: accountChange(values) as NewAccountBody })
    close()
    toastWithAction(`Created ${account.name}`, 'Open', () => {
      void navigate({ to: patterns.account, params: { id: account.id } })
    })
    void accounts.refresh()
  }

  async function refused(error: unknown) {
    if (isProblem(error, 409) && error.code === 'domain_taken')
      setFaults({ domain: await takenBy(String(read().values.domain ?? '')) })
    else setFaults(faultsByField(error, keys))
  }

  return (
    <FormDialog
      title="New account"
      size={560}
      yOffset="8vh"
      verb="Create account"
      act={create}
      refused={refused}
      fault={faults['']}
      close={close}
    >
      <div className={fieldsClasses.pair}>
        {fields.map(field => (
          <FieldInput
            key={field.key}
            field={field}
            value={typed[field.key] ?? ''}
            set={value => {
              setTyped(now => ({ ...now, [field.key]: value }))
              setFaults(({ [field.key]: _gone, ...rest }) => rest)
            }}
            error={faults[field.key]}
            autoFocus={field.key === 'name'}
          />
        ))}
      </div>
    </FormDialog>
  )
}

/** The problem only names the other account; the list has its id. */
async function takenBy(domain: string): Promise<ReactNode> {
  const query = { domain: [domain], limit: 1 }
  const other = await api('GET /api/crm/accounts', { query }).then(
    ({ data }) => data[0],
    () => undefined,
  )
  if (!other) return 'Another account already has this domain'
  return (
    <>
      <Link to={patterns.account} params={{ id: other.id }}>
        {other.name}
      </Link>{' '}
      already has this domain
    </>
  )
}
