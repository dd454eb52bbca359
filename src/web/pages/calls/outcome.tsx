import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { useCan } from '../../queries.ts'
import { calls } from '../../records/calls/store.ts'

const OUTCOME_LENGTH_MAX = 500

/** What came of it, in a few words. Saved when one leaves it or presses Enter; Escape takes back what was typed. */
export function Outcome({ call: { id, outcome } }: { call: Call }) {
  const canWrite = useCan('voice:write')
  const [typed, setTyped] = useState<string>()
  if (!canWrite) return outcome ?? 'Not noted'

  function save(words: string | undefined) {
    const next = words?.trim() || null
    if (words !== undefined && next !== outcome) void calls.change(id, { outcome: next }, 'Outcome noted')
    setTyped(undefined)
  }

  return (
    <TextInput
      size="xs"
      aria-label="Outcome"
      placeholder="Not noted"
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
