import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import { forecast, leadBoard, opportunityBoard } from './board.ts'
import type { endpoints } from './contract.ts'
import * as opportunities from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listOpportunities: (ctx, { query }) => opportunities.listOpportunities(ctx, query),
  outlineOpportunities: (ctx, { query }) => opportunities.outlineOpportunities(ctx, query),
  queryOpportunities: (ctx, { body }) => opportunities.queryOpportunities(ctx, body),
  exportOpportunities: async (ctx, { query, method }) =>
    csvAnswer(ctx, 'opportunities', { method, query }, await opportunities.exportOpportunities(ctx, query)),
  readOpportunityBoard: (ctx, { query }) => opportunityBoard(ctx, query),
  readLeadBoard: (ctx, { query }) => leadBoard(ctx, query),
  readForecast: (ctx, { query }) => forecast(ctx, query),
  createOpportunity: (ctx, { body }) => opportunities.createOpportunity(ctx, body),
  readOpportunity: (ctx, { params }) => opportunities.getOpportunity(ctx, params.id),
  changeOpportunity: (ctx, { params, body, ifMatch }) =>
    opportunities.changeOpportunity(ctx, params.id, body, ifMatch),
  trashOpportunity: async (ctx, { params, ifMatch }) =>
    void (await opportunities.trashOpportunity(ctx, params.id, ifMatch)),
  restoreOpportunity: (ctx, { params }) => opportunities.restoreOpportunity(ctx, params.id),
}
