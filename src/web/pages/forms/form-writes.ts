import type { FormChange, FormWithCounts, NewForm, Submission } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../records/in-turn.ts'
import { formQuery, putForm, refreshForms, refreshSubmissions } from '../../records/forms/forms-cache.ts'

export async function createForm(body: NewForm): Promise<FormWithCounts> {
  const form = await api('POST /api/crm/forms', { body })
  putForm(form)
  refreshForms()
  return form
}

/** The content of a draft: only what builds on the form as we know it. */
export async function saveContent(id: string, body: FormChange, ifMatch: string): Promise<FormWithCounts> {
  const form = await inTurn(id, () => api('PATCH /api/crm/forms/:id', { params: { id }, body, ifMatch }))
  putForm(form)
  return form
}

/** Shows the change at once, and takes it back when the server refuses; then it throws what the server said. */
export async function changeForm(form: FormWithCounts, change: FormChange): Promise<FormWithCounts> {
  const { id } = form
  const before = pick(form, change)
  patch(id, change)
  try {
    const saved = await inTurn(id, () => api('PATCH /api/crm/forms/:id', { params: { id }, body: change }))
    putForm(saved)
    return saved
  } catch (error) {
    patch(id, before)
    throw error
  }
}

/** The same for a setting, which can be taken back. */
export async function setForm(form: FormWithCounts, change: FormChange, say: string): Promise<boolean> {
  const before = pick(form, change)
  try {
    const saved = await changeForm(form, change)
    toastWithUndo(say, () => changeForm(saved, before))
    return true
  } catch (error) {
    toastFault(error, 'Not saved')
    return false
  }
}

export async function publishForm({ id, name }: FormWithCounts): Promise<void> {
  const form = await inTurn(id, () => api('POST /api/crm/forms/:id/publish', { params: { id } }))
  putForm(form)
  refreshForms()
  toast(`Published ${name}`)
}

export async function unpublishForm(form: FormWithCounts): Promise<void> {
  if (await setForm(form, { published: false }, `Visitors no longer see ${form.name}`)) refreshForms()
}

/** Into the trash, and `leave` the page of what is no longer there. */
export async function trashForm(form: FormWithCounts, leave: () => void): Promise<void> {
  try {
    await api('DELETE /api/crm/forms/:id', { params: { id: form.id } })
    leave()
    refreshForms()
    toastWithUndo(`Moved ${form.name} to the trash`, () => restoreForm(form.id))
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
  }
}

export async function restoreForm(id: string): Promise<void> {
  await api('POST /api/crm/forms/:id/restore', { params: { id } })
  await queryClient.resetQueries(formQuery(id))
  refreshForms()
}

export async function releaseSubmission({ id }: Submission): Promise<void> {
  try {
    await api('POST /api/crm/submissions/:id/release', { params: { id } })
    toast('Released: from here on it is like any other')
  } catch (error) {
    toastFault(error, 'Not released')
  } finally {
    refreshSubmissions()
    refreshForms()
  }
}

export async function deleteSubmission({ id }: Submission): Promise<void> {
  await api('DELETE /api/crm/submissions/:id', { params: { id } })
  toast('Deleted the submission')
  refreshSubmissions()
  refreshForms()
}

function pick(form: FormWithCounts, change: FormChange): FormChange {
  return Object.fromEntries(Object.keys(change).map(key => [key, form[key as keyof FormWithCounts]]))
}

function patch(id: string, change: FormChange): void {
  queryClient.setQueryData(formQuery(id).queryKey, form => form && { ...form, ...change })
}
