import { useNavigate } from '@tanstack/react-router'
import type { Workflow } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { toastFault } from '../../ui/toast.ts'
import {
  duplicateWorkflow,
  exportWorkflow,
  setStatus,
  trashWorkflow,
} from '../../records/workflows/workflow-writes.ts'

/** The actions for a workflow in the list. Viewers can open and export it. */
export function useWorkflowMenu(workflow: Workflow): (MenuItem | 'divider')[] {
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const { id, status } = workflow
  const open = (id: string) => void navigate({ to: patterns.workflow, params: { id }, search: {} })

  async function duplicate() {
    try {
      open((await duplicateWorkflow(workflow)).id)
    } catch (error) {
      toastFault(error, "Couldn't duplicate workflow")
    }
  }

  const looking: MenuItem[] = [
    { label: 'Open', run: () => open(id) },
    {
      label: 'Runs',
      run: () => void navigate({ to: patterns.workflowRuns, params: { id }, search: {} }),
    },
  ]
  const exporting = { label: 'Export JSON', run: () => void exportWorkflow(workflow) }
  if (!canWrite) return [...looking, exporting]
  return [
    ...looking,
    'divider',
    ...(status === 'ACTIVE' ? [{ label: 'Pause', run: () => void setStatus(workflow, 'PAUSED') }] : []),
    ...(status === 'PAUSED' ? [{ label: 'Resume', run: () => void setStatus(workflow, 'ACTIVE') }] : []),
    { label: 'Duplicate', run: () => void duplicate() },
    exporting,
    'divider',
    { label: 'Move to trash', danger: true, run: () => void trashWorkflow(workflow) },
  ]
}
