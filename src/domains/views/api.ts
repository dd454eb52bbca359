import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as views from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listViews: (ctx, { query }) => views.listViews(ctx, query),
  createView: (ctx, { body }) => views.createView(ctx, body),
  readView: (ctx, { params }) => views.getView(ctx, params.id),
  changeView: (ctx, { params, body, ifMatch }) => views.changeView(ctx, params.id, body, ifMatch),
  deleteView: (ctx, { params }) => views.deleteView(ctx, params.id),
}
