import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import { addCandidates, createCandidate } from './add-candidates.ts'
import type { endpoints } from './contract.ts'
import { convertCandidate, convertCandidates } from './convert.ts'
import { uploadCandidates } from './csv.ts'
import { countCandidates, exportCandidates, listCandidates, outlineCandidates } from './listing.ts'
import * as candidates from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listCandidates: (ctx, { query }) => listCandidates(ctx, query),
  outlineCandidates: (ctx, { query }) => outlineCandidates(ctx, query),
  exportCandidates: (ctx, { query, method }) =>
    csvAnswer(ctx, 'candidates', { method, query }, exportCandidates(ctx, query)),
  countCandidates: ctx => countCandidates(ctx),
  createCandidate: (ctx, { body }) => createCandidate(ctx, body),
  addCandidates: (ctx, { body }) => addCandidates(ctx, body.addresses, 'list'),
  uploadCandidates: (ctx, { body, headers }) =>
    uploadCandidates(ctx, { body, bytesTold: Number(headers['content-length'] ?? 0) }),
  readCandidate: (ctx, { params }) => candidates.getCandidate(ctx, params.id),
  changeCandidate: (ctx, { params, body, ifMatch }) =>
    candidates.changeCandidate(ctx, params.id, body, ifMatch),
  trashCandidate: (ctx, { params, ifMatch }) => candidates.trashCandidate(ctx, params.id, ifMatch),
  restoreCandidate: (ctx, { params }) => candidates.restoreCandidate(ctx, params.id),
  crawlCandidate: (ctx, { params, ifMatch }) => candidates.crawlCandidate(ctx, params.id, ifMatch),
  convertCandidate: (ctx, { params }) => convertCandidate(ctx, params.id),
  convertCandidates: (ctx, { body }) => convertCandidates(ctx, body.ids),
}
