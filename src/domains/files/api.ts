import type { Handlers } from '#platform/contract.ts'
import { fileAnswer, takeUpload } from './answers.ts'
import type { endpoints } from './contract.ts'

export const api: Handlers<typeof endpoints> = {
  uploadFile: (ctx, { headers, body }) => takeUpload(ctx, headers, body),
  readFile: (ctx, { params, method }) => fileAnswer(ctx, params.id, method),
}
