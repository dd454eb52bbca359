import type { FormWithCounts, Submission } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { refreshSubmissions } from '../../records/forms/forms-cache.ts'
import { forms } from '../../records/forms/store.ts'
import { toast, toastFault } from '../../ui/toast.ts'

export async function publishForm({ id, name }: FormWithCounts): Promise<void> {
  await forms.act(id, () => api('POST /api/crm/forms/:id/publish', { params: { id } }))
  toast(`Published ${name}`)
}

export function unpublishForm({ id, name }: FormWithCounts): Promise<boolean> {
  return forms.change(id, { published: false }, `Unpublished ${name}`)
}

export async function releaseSubmission({ id }: Submission): Promise<void> {
  try {
    await api('POST /api/crm/submissions/:id/release', { params: { id } })
    toast('Released the submission')
  } catch (error) {
    toastFault(error, "Couldn't release the submission")
  } finally {
    refreshSubmissions()
    void forms.refresh()
  }
}

export async function deleteSubmission({ id }: Submission): Promise<void> {
  await api('DELETE /api/crm/submissions/:id', { params: { id } })
  toast('Deleted the submission')
  refreshSubmissions()
  void forms.refresh()
}
