import type { Handlers } from '#platform/contract.ts'
import { changeCall, createCall } from './by-hand.ts'
import { readConsent, setConsent } from './consents.ts'
import type { endpoints } from './contract.ts'
import { listCalls, readCall } from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listCalls: (ctx, { query }) => listCalls(ctx, query),
  createCall: (ctx, { body }) => createCall(ctx, body),
  readCall: (ctx, { params }) => readCall(ctx, params.id),
  changeCall: (ctx, { params, body, ifMatch }) => changeCall(ctx, params.id, body, ifMatch),
  readConsent: (ctx, { params }) => readConsent(ctx, params.lead_id),
  setConsent: (ctx, { params, body }) => setConsent(ctx, params.lead_id, body),
}
