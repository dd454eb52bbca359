import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { search } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  search: async (ctx, { query }) => ({ data: await search(ctx, query.q ?? '', query.kind) }),
}
