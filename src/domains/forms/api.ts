import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import { assets, embedAnswer } from './assets.ts'
import type { endpoints } from './contract.ts'
import { exportSubmissions } from './export.ts'
import * as hosted from './hosted.ts'
import { previewPage } from './preview.ts'
import * as forms from './service.ts'
import * as submissions from './submissions.ts'
import { listVersions } from './versions.ts'
import { testWebhook } from './webhook.ts'

export const api: Handlers<typeof endpoints> = {
  listForms: (ctx, { query }) => forms.listForms(ctx, query),
  createForm: (ctx, { body }) => forms.createForm(ctx, body),
  previewForm: (_, { body }) => ({ html: previewPage(body) }),
  readForm: (ctx, { params }) => forms.readForm(ctx, params.id),
  changeForm: (ctx, { params, body, ifMatch }) => forms.changeForm(ctx, params.id, body, ifMatch),
  trashForm: (ctx, { params, ifMatch }) => forms.trashForm(ctx, params.id, ifMatch),
  restoreForm: (ctx, { params }) => forms.restoreForm(ctx, params.id),
  publishForm: (ctx, { params, ifMatch }) => forms.publishForm(ctx, params.id, ifMatch),
  listFormVersions: (ctx, { params, query }) => listVersions(ctx, params.id, query),
  testFormWebhook: (ctx, { params, body }) => testWebhook(ctx, params.id, body.webhook_url),
  listSubmissions: (ctx, { params, query }) => submissions.listSubmissions(ctx, params.id, query),
  exportSubmissions: async (ctx, { params, query, method }) =>
    csvAnswer(
      ctx,
      'submissions',
      { method, query: { form_id: params.id, ...query } },
      await exportSubmissions(ctx, params.id, query),
    ),
  readSubmission: (ctx, { params }) => submissions.getSubmission(ctx, params.id),
  releaseSubmission: (ctx, { params }) => submissions.releaseSubmission(ctx, params.id),
  deleteSubmission: (ctx, { params }) => submissions.deleteSubmission(ctx, params.id),
  submitForm: (ctx, input) => hosted.submitForm(ctx, input),
  showForm: (ctx, input) => hosted.showForm(ctx, input),
  sendForm: (ctx, input) => hosted.sendForm(ctx, input),
  showThanks: (ctx, input) => hosted.showThanks(ctx, input),
  readFormAsset: (_, { params }) => assets.answer(params.file),
  readEmbedScript: () => embedAnswer(),
}
