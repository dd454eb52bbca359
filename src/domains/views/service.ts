import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { atLeast } from '#platform/scopes.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { viewDeleted, viewSaved, type View } from './contract.ts'
import * as store from './store.ts'

type Listing = { kind?: View['kind']; limit?: number; cursor?: string }
type NewView = Pick<View, 'kind' | 'name' | 'query'> & { columns?: View['columns']; shared?: boolean }
type Change = Partial<Pick<View, 'name' | 'query' | 'columns' | 'shared'>>

export async function listViews(ctx: Context, { kind, limit = LIST_LIMIT_DEFAULT, cursor }: Listing) {
  const { user_id } = ctx.requirePerson()
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  return pageOf(await store.listViews(ctx, user_id, { kind, limit: limit + 1, after }), limit)
}

export async function createView(ctx: Context, input: NewView): Promise<View> {
  const { user_id } = ctx.requirePerson()
  const at = ctx.now()
  const made = { id: ctx.newId(), owner_id: user_id, created_at: at, updated_at: at }
  const view: View = { ...input, columns: input.columns ?? null, shared: input.shared ?? false, ...made }
  refuseViewerSharing(ctx, view)
  await ctx.transaction(async ctx => {
    store.insertView(ctx, view)
    record(ctx, viewSaved, { kind: 'view', id: view.id }, { name: view.name }, toldIf(view.shared))
  })
  return view
}

/** Others' private ones are absent. */
export async function getView(ctx: Context, id: string): Promise<View> {
  const { user_id } = ctx.requirePerson()
  const view = await store.findView(ctx, id)
  if (!view || (view.owner_id !== user_id && !view.shared)) throw new Problem('not_found', 'No such view.')
  return view
}

export async function changeView(ctx: Context, id: string, change: Change, ifMatch?: string): Promise<View> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(await getOwnView(ctx, id), ifMatch)
    const view = { ...before, ...change, updated_at: nextVersion(before.updated_at, ctx.now()) }
    refuseViewerSharing(ctx, view)
    store.updateView(ctx, view)
    record(ctx, viewSaved, { kind: 'view', id }, { name: view.name }, toldIf(before.shared || view.shared))
    return view
  })
}

export async function deleteView(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const view = await getOwnView(ctx, id)
    store.deleteView(ctx, id)
    record(ctx, viewDeleted, { kind: 'view', id }, { name: view.name }, toldIf(view.shared))
  })
}

/** A shared view belongs to who made it; an ADMIN may tidy up after those who left. Others' private ones are absent. */
async function getOwnView(ctx: Context, id: string): Promise<View> {
  const { user_id, role } = ctx.requirePerson()
  const view = await store.lockView(ctx, id)
  if (!view || (view.owner_id !== user_id && !view.shared)) throw new Problem('not_found', 'No such view.')
  if (view.owner_id !== user_id && !(role && atLeast(role, 'ADMIN'))) {
    throw new Problem('forbidden', 'Only its creator or an ADMIN can change a shared view.', {
      code: 'not_yours',
    })
  }
  return view
}

/** Somebody's own views are nobody else's business. */
function toldIf(shared: boolean) {
  return { silent: !shared }
}

function refuseViewerSharing(ctx: Context, view: View): void {
  if (view.shared && ctx.principal?.role === 'VIEWER') {
    throw new Problem('forbidden', 'A VIEWER can save views, but not share them.', { code: 'role_too_low' })
  }
}
