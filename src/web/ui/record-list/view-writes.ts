import type { View } from '#domains/views/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../toast.ts'
import type { Column } from './columns.ts'

export type ViewChange = { name?: string; query?: string; columns?: Column[] | null; shared?: boolean }
export type NewView = Pick<View, 'kind' | 'name' | 'query' | 'columns' | 'shared'>

export async function createView(view: NewView): Promise<View> {
  const saved = await api('POST /api/crm/views', { body: view })
  put(saved)
  return saved
}

export async function changeView(view: View, change: ViewChange): Promise<boolean> {
  try {
    put(
      await api('PATCH /api/crm/views/:id', {
        params: { id: view.id },
        body: change,
        ifMatch: view.updated_at,
      }),
    )
    toast(`Saved ${change.name ?? view.name}`)
    return true
  } catch (error) {
    if (!isProblem(error, 412)) toastFault(error, "Couldn't save the view")
    else toast('Someone else changed this view. Their version was loaded.')
    await queryClient.invalidateQueries({ queryKey: cacheKeys.views })
    return false
  }
}

export async function deleteView(view: View): Promise<boolean> {
  try {
    await api('DELETE /api/crm/views/:id', { params: { id: view.id } })
    queryClient.setQueryData<View[]>(cacheKeys.views, views => views?.filter(each => each.id !== view.id))
    const { kind, name, query, columns, shared } = view
    toastWithUndo(`Deleted view ${name}`, () => createView({ kind, name, query, columns, shared }))
    return true
  } catch (error) {
    toastFault(error, "Couldn't delete the view")
    return false
  }
}

function put(view: View): void {
  queryClient.setQueryData<View[]>(cacheKeys.views, (views = []) =>
    views.some(each => each.id === view.id)
      ? views.map(each => (each.id === view.id ? view : each))
      : [...views, view],
  )
}
