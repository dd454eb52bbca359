import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { listEntries, readCredits } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  readCredits: ctx => readCredits(ctx),
  listCreditEntries: (ctx, { query }) => listEntries(ctx, query),
}
