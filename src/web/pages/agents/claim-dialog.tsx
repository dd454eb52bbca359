import { Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { patterns } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { claimDeployment } from './agent-writes.ts'

const ID = /(?:^|\/)([0-9a-f]{24})\/?$/
const KEY = /^rpd_[\w-]{24,60}$/
const RECEIPT_LENGTH_MAX = 4_000

/** Takes an agent that was bought into the team, by what the purchase answered. */
export function ClaimDialog({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const [faults, setFaults] = useState<{ address?: string; key?: string }>({})

  async function claim() {
    const id = ID.exec(address.trim())?.[1]
    const secret = keyIn(key.trim())
    setFaults({
      ...(!id && { address: 'Paste the address of the purchased agent, or its id' }),
      ...(!secret && { key: 'Paste its key, or the whole receipt' }),
    })
    if (!id || !secret) return
    const { agent, claimed_agent_id } = await claimDeployment(id, secret)
    close()
    toast(`${agent.name} is yours`)
    if (claimed_agent_id) void navigate({ to: patterns.agent, params: { id: claimed_agent_id } })
  }

  return (
    <FormDialog
      title="Claim a purchased agent"
      size={500}
      verb="Claim agent"
      act={claim}
      refused={error => setFaults({ key: inWords(error) })}
      close={close}
    >
      <Text c="dimmed">
        Whoever bought an agent got its address and its key. With both, it becomes an agent of this team:
        once, for whoever comes first.
      </Text>
      <TextInput
        label="Address"
        description="What the purchase answered as resource."
        placeholder="https://…/api/agents/deployments/…"
        value={address}
        error={faults.address}
        data-autofocus
        autoComplete="off"
        onChange={event => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label="Key"
        description="It begins with rpd_. The whole Payment-Receipt does as well: the key is in it."
        value={key}
        maxLength={RECEIPT_LENGTH_MAX}
        error={faults.key}
        autoComplete="off"
        onChange={event => setKey(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** The key itself, or the one in a receipt. */
function keyIn(typed: string): string | undefined {
  if (KEY.test(typed)) return typed
  try {
    const text = atob(typed.replaceAll('-', '+').replaceAll('_', '/'))
    const { externalId } = JSON.parse(text) as { externalId?: unknown }
    return typeof externalId === 'string' && KEY.test(externalId) ? externalId : undefined
  } catch {
    return undefined
  }
}
