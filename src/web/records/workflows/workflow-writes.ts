import type {
  Draft,
  NewWorkflow,
  Started,
  Workflow,
  WorkflowInFull,
  WorkflowVersion,
} from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { leadsQuery } from '../leads/search.ts'
import type { Who } from '../sequences/enrolling.ts'
import { workflows } from './store.ts'
import { refreshRuns } from './workflows-cache.ts'

const NAME_LENGTH_MAX = 200

/** Created as a draft, not active. */
export function createWorkflow(body: Omit<NewWorkflow, 'status'>): Promise<WorkflowInFull> {
  return workflows.create({ ...body, status: 'DRAFT' })
}

/** A workflow with errors is saved as a draft and fixed in the builder. */
export async function createUnfinished(draft: Draft): Promise<WorkflowInFull> {
  const { id } = await createWorkflow({ name: draft.name, trigger: FIRST_TRIGGER, nodes: [] })
  return saveDraft(id, draft)
}

export const FIRST_TRIGGER = 'lead.created'

/** Including unpublished changes. */
export async function duplicateWorkflow(workflow: Workflow): Promise<WorkflowInFull> {
  const { name, trigger, filters, once_per_lead, nodes, draft } = await read(workflow.id)
  const copy = { name: copyOf(name), trigger, filters, once_per_lead, nodes }
  const made = await createWorkflow(copy)
  return draft ? saveDraft(made.id, { ...draft, name: copyOf(draft.name) }) : made
}

/** Downloads the workflow as shown in the builder, as a file that can be imported. */
export async function exportWorkflow(workflow: Workflow): Promise<void> {
  try {
    const { draft, ...published } = await read(workflow.id)
    const { name, trigger, filters, once_per_lead, nodes } = draft ?? published
    const text = JSON.stringify({ name, trigger, filters, once_per_lead, nodes }, null, 2)
    download(`${fileName(name)}.json`, `${text}\n`)
  } catch (error) {
    toastFault(error, "Couldn't export workflow")
  }
}

export function setStatus({ id, name }: Workflow, status: 'ACTIVE' | 'PAUSED'): Promise<boolean> {
  const say = status === 'ACTIVE' ? { plain: `Resumed ${name}` } : `Paused ${name}`
  return workflows.change(id, { status }, say)
}

export function trashWorkflow(workflow: Workflow): Promise<boolean> {
  const { id, name, status } = workflow
  return workflows.trash(workflow, `Moved ${name} to the trash`, async () => {
    await workflows.bringBack(id)
    // Restored workflows are paused; undo also restores the status.
    if (status === 'ACTIVE') await workflows.save(id, { status })
  })
}

/** Replaces the draft with a version; can be undone. */
export async function takeAsDraft(workflow: WorkflowInFull, version: WorkflowVersion): Promise<void> {
  const { id, name, draft } = workflow
  try {
    await saveDraft(id, { name: draft?.name ?? name, ...version.definition } as Draft)
    toastWithUndo(`Draft reset to version ${version.version}`, () =>
      draft ? saveDraft(id, draft) : discardDraft(id),
    )
  } catch (error) {
    toastFault(error, "Couldn't reset the draft")
  }
}

/** For chosen leads, or for all matching leads in the background. */
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
  search: Parameters<typeof leadsQuery>[0],
): Promise<{ matching: number }> {
  const { sort: _sort, ...filter } = leadsQuery(search)
  return api('POST /api/crm/workflows/:id/start-matching', { params: { id }, body: { filter } })
}

function read(id: string): Promise<WorkflowInFull> {
  return api('GET /api/crm/workflows/:id', { params: { id } })
}

/** With `ifMatch`, only if the workflow has not changed since. */
export function saveDraft(id: string, body: Draft, ifMatch?: string): Promise<WorkflowInFull> {
  return workflows.write(id, () =>
    api('PUT /api/crm/workflows/:id/draft', { params: { id }, body, ...(ifMatch && { ifMatch }) }),
  )
}

export function discardDraft(id: string): Promise<WorkflowInFull> {
  return workflows.act(id, () => api('DELETE /api/crm/workflows/:id/draft', { params: { id } }))
}

export function publish(id: string): Promise<WorkflowInFull> {
  return workflows.act(id, () => api('POST /api/crm/workflows/:id/publish', { params: { id } }))
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
