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
import { toQuery } from '../leads/search.ts'
import type { Who } from '../sequences/enrolling.ts'
import { workflows } from './store.ts'
import { refreshRuns } from './workflows-cache.ts'

const NAME_LENGTH_MAX = 200

/** It does not begin to work by itself. */
export function createWorkflow(body: Omit<NewWorkflow, 'status'>): Promise<WorkflowInFull> {
  return workflows.create({ ...body, status: 'DRAFT' })
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

export function setStatus({ id, name }: Workflow, status: 'ACTIVE' | 'PAUSED'): Promise<boolean> {
  const say = status === 'ACTIVE' ? { plain: `Resumed ${name}` } : `Paused ${name}: nothing sets it off`
  return workflows.change(id, { status }, say)
}

export function trashWorkflow(workflow: Workflow): Promise<boolean> {
  const { id, name, status } = workflow
  return workflows.trash(workflow, `Moved ${name} to the trash`, async () => {
    await workflows.bringBack(id)
    // What comes back from the trash is paused; an undo brings back what was.
    if (status === 'ACTIVE') await workflows.save(id, { status })
  })
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

/** With `ifMatch` only what builds on the workflow as it is known here. */
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
