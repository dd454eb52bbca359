import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import type { endpoints } from './contract.ts'
import { errorsFile } from './errors-file.ts'
import { previewImport } from './preview.ts'
import * as imports from './service.ts'
import { uploadImport } from './upload.ts'

export const api: Handlers<typeof endpoints> = {
  listImports: (ctx, { query }) => imports.listImports(ctx, query),
  createImport: (ctx, { query, body, headers }) =>
    uploadImport(ctx, {
      file_name: query.file_name,
      body,
      bytesTold: Number(headers['content-length'] ?? 0),
    }),
  readImport: (ctx, { params }) => imports.getImport(ctx, params.id),
  changeImport: (ctx, { params, body, ifMatch }) => imports.changeImport(ctx, params.id, body, ifMatch),
  previewImport: (ctx, { params }) => previewImport(ctx, params.id),
  startImport: (ctx, { params }) => imports.startImport(ctx, params.id),
  cancelImport: (ctx, { params }) => imports.cancelImport(ctx, params.id),
  exportImportErrors: async (ctx, { params, method }) =>
    csvAnswer(ctx, 'import-errors', { method, query: params }, await errorsFile(ctx, params.id)),
  deleteImport: (ctx, { params }) => imports.deleteImport(ctx, params.id),
}
