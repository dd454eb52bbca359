import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { sequenceChoicesQuery } from './sequences-cache.ts'
import { sequenceWords } from './words.ts'
import textClasses from '../../ui/text.module.css'

const QUIET_MS = 160

type Props = { chosen: Sequence | null; choose: (sequence: Sequence | null) => void }

/** Active sequences first: in others, leads would wait. Those without steps cannot be chosen. */
export function SequenceSelect({ chosen, choose }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text === chosen?.name ? '' : text.trim(), QUIET_MS)
  const { data } = useQuery(sequenceChoicesQuery(q))
  const known = data ?? []
  const isActive = ({ status }: Sequence) => status === 'ACTIVE'
  const found = [...known.filter(isActive), ...known.filter(each => !isActive(each))]
  const shown = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <div>
      <Select
        label="Sequence"
        placeholder="Choose a sequence"
        data={shown.map(each => ({
          value: each.id,
          label: `${each.name}${suffix(each)}`,
          disabled: each.steps.length === 0,
        }))}
        value={chosen?.id ?? null}
        onChange={id => choose(shown.find(each => each.id === id) ?? null)}
        onSearchChange={setText}
        searchable
        nothingFoundMessage="No matches"
        data-autofocus
      />
      {data && !q && known.length === 0 && (
        <p className={textClasses.dim}>
          No sequences yet. <Link to={patterns.sequences}>Create one</Link>
        </p>
      )}
    </div>
  )
}

function suffix({ status, steps }: Sequence): string {
  if (steps.length === 0) return ' (no steps yet)'
  return status === 'ACTIVE' ? '' : ` (${sequenceWords[status].label.toLowerCase()})`
}
