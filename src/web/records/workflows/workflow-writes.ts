import type {
  Draft,
  NewWorkflow,
  Started,
  Workflow,
  WorkflowInFull,
  WorkflowVersion,
} from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../in-turn.ts'
import { toQuery } from '../leads/search.ts'
import type { Who } from '../sequences/enrolling.ts'
import { putWorkflow, refreshRuns, refreshWorkflows, workflowQuery } from './workflows-cache.ts'

const NAME_LENGTH_MAX = 200

/** It does not begin to work by itself. */
export async function createWorkflow(body: Omit<NewWorkflow, 'status'>): Promise<WorkflowInFull> {
  const workflow = await api('POST /api/crm/workflows', { body: { ...body, status: 'DRAFT' } })
  putWorkflow(workflow)
  refreshWorkflows()
  return workflow
}

/** What cannot run yet is kept as a draft and mended in the builder. */
export async function createUnfinished(draft: Draft): Promise<WorkflowInFull> {
  const { id } = await createWorkflow({ name: draft.name, trigger: FIRST_TRIGGER, nodes: [] })
  return saveDraft(id, draft)
}

export const FIRST_TRIGGER = 'lead.created'

/** With the changes that are not published. */
export async function duplicateWorkflow(workflow: Workflow): Promise<WorkflowInFull> {
  const { name, trigger, filters, once_per_lead, nodes, draft } = await read(workflow.id)
  const copy = { name: copyOf(name), trigger, filters, once_per_lead, nodes }
  const made = await createWorkflow(copy)
  return draft ? saveDraft(made.id, { ...draft, name: copyOf(draft.name) }) : made
}

/** What the builder shows of it, as a file that can be imported again. */
export async function exportWorkflow(workflow: Workflow): Promise<void> {
  try {
    const { draft, ...published } = await read(workflow.id)
    const { name, trigger, filters, once_per_lead, nodes } = draft ?? published
    const text = JSON.stringify({ name, trigger, filters, once_per_lead, nodes }, null, 2)
    download(`${fileName(name)}.json`, `${text}\n`)
  } catch (error) {
    toastFault(error, 'Not exported')
  }
}

/** Shown at once, and taken back when the server refuses. */
export async function setStatus(workflow: Workflow, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
  const { id, name } = workflow
  patch(id, { status })
  try {
    await change(id, status)
    if (status === 'ACTIVE') toast(`Resumed ${name}`)
    else toastWithUndo(`Paused ${name}: nothing sets it off`, () => change(id, 'ACTIVE'))
  } catch (error) {
    patch(id, { status: workflow.status })
    toastFault(error, status === 'ACTIVE' ? 'Not resumed' : 'Not paused')
  }
  refreshWorkflows()
}

/** Into the trash, and `leave` the page of what is no longer there. */
export async function trashWorkflow({ id, name, status }: Workflow, leave?: () => void): Promise<void> {
  try {
    await api('DELETE /api/crm/workflows/:id', { params: { id } })
    leave?.()
    refreshWorkflows()
    toastWithUndo(`Moved ${name} to the trash`, async () => {
      await restoreWorkflow(id)
      // What comes back from the trash is paused; an undo brings back what was.
      if (status === 'ACTIVE') await change(id, 'ACTIVE')
      refreshWorkflows()
    })
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
  }
}

export async function restoreWorkflow(id: string): Promise<void> {
  await api('POST /api/crm/workflows/:id/restore', { params: { id } })
  await queryClient.resetQueries(workflowQuery(id))
  refreshWorkflows()
}

/** The draft becomes what a version was; what it was before comes back by undo. */
export async function takeAsDraft(workflow: WorkflowInFull, version: WorkflowVersion): Promise<void> {
  const { id, name, draft } = workflow
  try {
    await saveDraft(id, { name: draft?.name ?? name, ...version.definition } as Draft)
    toastWithUndo(`The draft is version ${version.version} again, not published yet`, () =>
      draft ? saveDraft(id, draft) : discardDraft(id),
    )
  } catch (error) {
    toastFault(error, 'The draft is as it was')
  }
}

/** For leads one by one, or for all that match, which goes on in the background. */
export async function startWorkflow(id: string, who: Who): Promise<Started | { matching: number }> {
  const started = await ('ids' in who ? startFor(id, [...who.ids]) : startMatching(id, who.search))
  refreshRuns()
  return started
}

async function startFor(id: string, lead_ids: string[]): Promise<Started> {
  return api('POST /api/crm/workflows/:id/start', { params: { id }, body: { lead_ids } })
}

async function startMatching(
  id: string,
  search: Parameters<typeof toQuery>[0],
): Promise<{ matching: number }> {
  const { sort: _sort, ...filter } = toQuery(search)
  return api('POST /api/crm/workflows/:id/start-matching', { params: { id }, body: { filter } })
}

function read(id: string): Promise<WorkflowInFull> {
  return api('GET /api/crm/workflows/:id', { params: { id } })
}

async function saveDraft(id: string, draft: Draft): Promise<WorkflowInFull> {
  return kept(
    await inTurn(id, () => api('PUT /api/crm/workflows/:id/draft', { params: { id }, body: draft })),
  )
}

async function discardDraft(id: string): Promise<WorkflowInFull> {
  return kept(await inTurn(id, () => api('DELETE /api/crm/workflows/:id/draft', { params: { id } })))
}

async function change(id: string, status: 'ACTIVE' | 'PAUSED'): Promise<WorkflowInFull> {
  return kept(
    await inTurn(id, () => api('PATCH /api/crm/workflows/:id', { params: { id }, body: { status } })),
  )
}

function kept(workflow: WorkflowInFull): WorkflowInFull {
  putWorkflow(workflow)
  refreshWorkflows()
  return workflow
}

function patch(id: string, fields: Partial<WorkflowInFull>): void {
  queryClient.setQueryData(workflowQuery(id).queryKey, workflow => workflow && { ...workflow, ...fields })
}

function copyOf(name: string): string {
  return `Copy of ${name}`.slice(0, NAME_LENGTH_MAX)
}

function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'workflow'
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
