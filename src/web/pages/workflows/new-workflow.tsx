import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { WorkflowDefinition } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { BeginDialog, type Beginning } from '../../ui/begin-dialog.tsx'
import { ImportWorkflow } from './import-workflow.tsx'
import { createWorkflow, FIRST_TRIGGER } from '../../records/workflows/workflow-writes.ts'
import { catalogQuery } from '../../records/workflows/workflows-cache.ts'

type Starter = Beginning & { definition: WorkflowDefinition }

const scratch: Starter = {
  key: 'scratch',
  name: 'From scratch',
  about: 'An empty workflow',
  definition: { trigger: FIRST_TRIGGER, filters: [], once_per_lead: false, nodes: [] },
}

/** Asks for a starter and a name, or a file, and opens the new workflow. */
export function NewWorkflow({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [isImporting, setIsImporting] = useState(false)
  const { data, isError } = useQuery(catalogQuery)
  const open = (id: string) => void navigate({ to: patterns.workflow, params: { id }, search: {} })

  async function create({ definition }: Starter, name: string) {
    open((await createWorkflow({ name, ...definition })).id)
  }

  if (isImporting) return <ImportWorkflow open={open} close={close} />
  // Without the catalog, an empty workflow can still be created.
  if (!data && !isError) return null
  const known =
    data?.starters.map(({ description, ...starter }) => ({ ...starter, about: description })) ?? []
  const [first = scratch, ...others] = known
  return (
    <BeginDialog
      noun="workflow"
      beginnings={first === scratch ? [scratch] : [first, ...others, scratch]}
      called={({ key, name }) => (key === scratch.key ? '' : name)}
      about="Only your team sees it. Nothing runs until you publish."
      columns={2}
      beside={
        <Button variant="subtle" color="gray" onClick={() => setIsImporting(true)}>
          Import JSON…
        </Button>
      }
      create={create}
      close={close}
    />
  )
}
