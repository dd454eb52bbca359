import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Workflow } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { workflowChoicesQuery } from './workflows-cache.ts'
import textClasses from '../../ui/text.module.css'

const QUIET_MS = 160

type Props = { chosen: Workflow | null; choose: (workflow: Workflow | null) => void }

/** One that is active, found by typing. */
export function WorkflowSelect({ chosen, choose }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text === chosen?.name ? '' : text.trim(), QUIET_MS)
  const { data } = useQuery(workflowChoicesQuery(q))
  const found = data ?? []
  const shown = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <div>
      <Select
        label="Workflow"
        placeholder="Choose one"
        data={shown.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen?.id ?? null}
        onChange={id => choose(shown.find(each => each.id === id) ?? null)}
        onSearchChange={setText}
        searchable
        nothingFoundMessage="Nothing found"
        data-autofocus
      />
      {data && !q && found.length === 0 && (
        <p className={textClasses.dim}>
          No workflow is active. <Link to={patterns.workflows}>Make one</Link>
        </p>
      )}
    </div>
  )
}
