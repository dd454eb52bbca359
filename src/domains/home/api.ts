import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { readHome } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  readHome: (ctx, { query }) => readHome(ctx, query.until),
}
