import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { useCan } from '../../queries.ts'
import { calls } from '../../records/calls/store.ts'

const OUTCOME_LENGTH_MAX = 500

/** The outcome in a few words. Saved on blur or Enter; Escape discards the edit. */
export function Outcome({ call: { id, outcome } }: { call: Call }) {
  const canWrite = useCan('voice:write')
  const [typed, setTyped] = useState<string>()
  if (!canWrite) return outcome ?? 'Not set'

  function save(words: string | undefined) {
    const next = words?.trim() || null
    if (words !== undefined && next !== outcome) void calls.change(id, { outcome: next }, 'Outcome saved')
    setTyped(undefined)
  }

  return (
    <TextInput
      size="xs"
      aria-label="Outcome"
      placeholder="Not set"
      maxLength={OUTCOME_LENGTH_MAX}
      value={typed ?? outcome ?? ''}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={() => save(typed)}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
