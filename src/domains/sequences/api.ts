import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as sequences from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listSequences: (ctx, { query }) => sequences.listSequences(ctx, query),
  createSequence: (ctx, { body }) => sequences.createSequence(ctx, body),
  readSequence: (ctx, { params }) => sequences.readSequence(ctx, params.id),
  changeSequence: (ctx, { params, body, ifMatch }) => sequences.changeSequence(ctx, params.id, body, ifMatch),
  trashSequence: (ctx, { params, ifMatch }) => sequences.trashSequence(ctx, params.id, ifMatch),
  restoreSequence: (ctx, { params }) => sequences.restoreSequence(ctx, params.id),
  listSequenceVersions: async (ctx, { params }) => ({
    data: await sequences.listVersions(ctx, params.id),
  }),
}
