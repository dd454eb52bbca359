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

/** Searches active workflows. */
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
        placeholder="Choose a workflow"
        data={shown.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen?.id ?? null}
        onChange={id => choose(shown.find(each => each.id === id) ?? null)}
        onSearchChange={setText}
        searchable
        nothingFoundMessage="No matches"
        data-autofocus
      />
      {data && !q && found.length === 0 && (
        <p className={textClasses.dim}>
          No active workflows. <Link to={patterns.workflows}>Create one</Link>
        </p>
      )}
    </div>
  )
}
