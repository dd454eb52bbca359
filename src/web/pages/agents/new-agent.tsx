import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { builtInTools, INSTRUCTIONS_LENGTH_MAX } from '#domains/agents/values.ts'
import { patterns } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { agents } from '../../records/agents/store.ts'

const NAME_LENGTH_MAX = 500
/** Those that need no other settings. */
const CHOSEN_BY_HAND: readonly string[] = ['transfer', 'update_field']
const USUAL_TOOLS = builtInTools.filter(tool => !CHOSEN_BY_HAND.includes(tool))

/** Asks for a name and instructions; the rest is on the agent's page. */
export function NewAgent({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [instructions, setInstructions] = useState('')
  const [faults, setFaults] = useState<{ name?: string; instructions?: string }>({})

  async function create() {
    const wrong = {
      ...(!name.trim() && { name: 'Enter a name' }),
      ...(!instructions.trim() && { instructions: 'Enter instructions' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    const { id } = await agents.create({
      name: name.trim(),
      instructions: instructions.trim(),
      tools: USUAL_TOOLS,
    })
    close()
    void navigate({ to: patterns.agent, params: { id } })
  }

  return (
    <FormDialog
      title="New agent"
      size={560}
      verb="Create agent"
      act={create}
      refused={error => setFaults({ instructions: inWords(error) })}
      close={close}
    >
      <TextInput
        label="Name"
        placeholder="Like Front desk"
        value={name}
        maxLength={NAME_LENGTH_MAX}
        error={faults.name}
        data-autofocus
        autoComplete="off"
        onChange={event => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Instructions"
        description="Its role, goals, tone and limits."
        autosize
        minRows={6}
        maxRows={14}
        value={instructions}
        maxLength={INSTRUCTIONS_LENGTH_MAX}
        error={faults.instructions}
        onChange={event => setInstructions(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
