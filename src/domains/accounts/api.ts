import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import type { endpoints } from './contract.ts'
import * as accounts from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listAccounts: (ctx, { query }) => accounts.listAccounts(ctx, query),
  outlineAccounts: (ctx, { query }) => accounts.outlineAccounts(ctx, query),
  queryAccounts: (ctx, { body }) => accounts.queryAccounts(ctx, body),
  exportAccounts: async (ctx, { query, method }) =>
    csvAnswer(ctx, 'accounts', { method, query }, await accounts.exportAccounts(ctx, query)),
  matchAccounts: async (ctx, { query }) => ({ data: await accounts.matchAccounts(ctx, query) }),
  createAccount: (ctx, { body }) => accounts.createAccount(ctx, body),
  readAccount: (ctx, { params }) => accounts.getAccount(ctx, params.id),
  changeAccount: (ctx, { params, body, ifMatch }) => accounts.changeAccount(ctx, params.id, body, ifMatch),
  trashAccount: async (ctx, { params, ifMatch }) =>
    void (await accounts.trashAccount(ctx, params.id, ifMatch)),
  restoreAccount: (ctx, { params }) => accounts.restoreAccount(ctx, params.id),
  readAccountSettings: ctx => accounts.getSettings(ctx),
  changeAccountSettings: (ctx, { body, ifMatch }) => accounts.changeSettings(ctx, body, ifMatch),
}
