import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { changeRetention, getRetention } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  readRetention: ctx => getRetention(ctx),
  changeRetention: (ctx, { body, ifMatch }) => changeRetention(ctx, body, ifMatch),
}
