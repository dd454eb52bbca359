import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { INVITATION_LIFE_DAYS } from '#domains/identity/values.ts'
import type { Role } from '#platform/scopes.ts'
import { api } from '../../api.ts'
import { inWords, isProblem } from '../../problem.ts'
import { useUser } from '../../queries.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { reloadInvitations } from './invitation-writes.ts'
import { roleAbouts, roleNames, rolesUpTo } from '../../records/members/roles.ts'

const EMAIL_LENGTH_MAX = 254

type Faults = { email?: string; role?: string; other?: string }

/** Server errors are shown at their field. */
export function Invite({ close }: { close: () => void }) {
  const { teamRole } = useUser()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('MEMBER')
  const [faults, setFaults] = useState<Faults>({})

  async function invite() {
    const address = email.trim()
    if (!address) return setFaults({ email: 'Enter an email address' })
    await api('POST /api/team/invitations', { body: { email: address, role } })
    toast(`Invited ${address}`)
    close()
    await reloadInvitations()
  }

  return (
    <FormDialog
      title="Invite someone"
      size="sm"
      verb="Send invitation"
      act={invite}
      refused={error => setFaults(faultsFrom(error))}
      fault={faults.other}
      close={close}
    >
      <TextInput
        label="Email"
        type="email"
        description={`They get a link to join. It works once, for ${INVITATION_LIFE_DAYS} days.`}
        value={email}
        maxLength={EMAIL_LENGTH_MAX}
        error={faults.email}
        autoComplete="off"
        data-autofocus
        onChange={event => {
          setEmail(event.currentTarget.value)
          setFaults({})
        }}
      />
      <Select
        label="Role"
        description={roleAbouts[role]}
        data={rolesUpTo(teamRole).map(value => ({ value, label: roleNames[value] }))}
        value={role}
        allowDeselect={false}
        error={faults.role}
        onChange={value => setRole(value as Role)}
      />
    </FormDialog>
  )
}

const aboutTheAddress = ['already_invited', 'already_member']

function faultsFrom(error: unknown): Faults {
  if (!isProblem(error)) return { other: inWords(error) }
  if (error.status === 422) return { email: 'Enter a valid email address' }
  if (error.status === 403) return { role: inWords(error) }
  return aboutTheAddress.includes(error.code) ? { email: inWords(error) } : { other: inWords(error) }
}
