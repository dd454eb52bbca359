import { Answer } from '#platform/answer.ts'
import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { exportEntries, listEntries } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listAudit: (ctx, { query }) => listEntries(ctx, query),
  exportAudit: (ctx, { query }) => {
    const name = `audit-${ctx.now().slice(0, 10)}.csv`
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    }
    return new Answer(200, headers, exportEntries(ctx, query))
  },
}
