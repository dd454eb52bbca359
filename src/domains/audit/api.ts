import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import type { endpoints } from './contract.ts'
import { exportEntries, listEntries } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listAudit: (ctx, { query }) => listEntries(ctx, query),
  exportAudit: (ctx, { query, method }) =>
    csvAnswer(ctx, 'audit', { method, query }, exportEntries(ctx, query)),
}
