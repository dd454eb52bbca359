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

/** Adds a purchased agent to the team with the URL and key of the purchase. */
export function ClaimDialog({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const [faults, setFaults] = useState<{ address?: string; key?: string }>({})

  async function claim() {
    const id = ID.exec(address.trim())?.[1]
    const secret = keyIn(key.trim())
    setFaults({
      ...(!id && { address: 'Paste the URL or ID of the purchased agent' }),
      ...(!secret && { key: 'Paste the key or the whole receipt' }),
    })
    if (!id || !secret) return
    const { agent, claimed_agent_id } = await claimDeployment(id, secret)
    close()
    toast(`Claimed ${agent.name}`)
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
        A purchase comes with a URL and a key. With both, you can add the agent to this team. Each purchase
        can be claimed once.
      </Text>
      <TextInput
        label="URL"
        description="The resource from the purchase response."
        placeholder="https://…/api/agents/deployments/…"
        value={address}
        error={faults.address}
        data-autofocus
        autoComplete="off"
        onChange={event => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label="Key"
        description="Starts with rpd_. You can also paste the whole Payment-Receipt."
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
