import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as erasures from './service.ts'

export const api: Handlers<typeof endpoints> = {
  readPersonalData: (ctx, { params }) => erasures.readPersonalData(ctx, params.id),
  eraseLead: (ctx, { params, body }) => erasures.eraseLead(ctx, params.id, body.confirm),
  listErasures: (ctx, { query }) => erasures.listErasures(ctx, query),
  readErasure: (ctx, { params }) => erasures.readErasure(ctx, params.id),
}
