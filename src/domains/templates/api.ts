import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as templates from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listTemplates: (ctx, { query }) => templates.listTemplates(ctx, query),
  createTemplate: (ctx, { body }) => templates.createTemplate(ctx, body),
  readTemplate: (ctx, { params }) => templates.getTemplate(ctx, params.id),
  changeTemplate: (ctx, { params, body, ifMatch }) => templates.changeTemplate(ctx, params.id, body, ifMatch),
  trashTemplate: async (ctx, { params, ifMatch }) =>
    void (await templates.trashTemplate(ctx, params.id, ifMatch)),
  restoreTemplate: (ctx, { params }) => templates.restoreTemplate(ctx, params.id),
  listPlaceholders: async ctx => ({ data: await templates.placeholders(ctx) }),
}
