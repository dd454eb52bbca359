import type { Handlers } from '#platform/contract.ts'
import { csvAnswer, exportPages } from '#platform/csv-export.ts'
import type { endpoints } from './contract.ts'
import { importSuppressions } from './file.ts'
import * as suppressions from './service.ts'
import { suppressionColumns } from './store.ts'

export const api: Handlers<typeof endpoints> = {
  listSuppressions: (ctx, { query }) => suppressions.listSuppressions(ctx, query),
  createSuppression: (ctx, { body }) => suppressions.createSuppression(ctx, body),
  readSuppression: (ctx, { params }) => suppressions.getSuppression(ctx, params.id),
  liftSuppression: (ctx, { params }) => suppressions.liftSuppression(ctx, params.id),
  importSuppressions: (ctx, { body }) => importSuppressions(ctx, body),
  exportSuppressions: (ctx, { query, method }) =>
    csvAnswer(
      ctx,
      'suppressions',
      { method, query },
      exportPages(
        suppressionColumns.filter(column => column !== 'lifted_at'),
        page => suppressions.listSuppressions(ctx, { ...query, ...page }),
      ),
    ),
}
