import type { Handlers } from '#platform/contract.ts'
import { readCatalog } from './catalog.ts'
import type { endpoints } from './contract.ts'
import * as runs from './control.ts'
import * as workflows from './service.ts'
import { tryWorkflow } from './simulation.ts'
import { startFor, startMatching } from './start-runs.ts'

export const api: Handlers<typeof endpoints> = {
  readWorkflowCatalog: ctx => readCatalog(ctx),
  listWorkflows: (ctx, { query }) => workflows.listWorkflows(ctx, query),
  createWorkflow: (ctx, { body }) => workflows.createWorkflow(ctx, body),
  readWorkflow: (ctx, { params }) => workflows.readWorkflow(ctx, params.id),
  changeWorkflow: (ctx, { params, body, ifMatch }) => workflows.changeWorkflow(ctx, params.id, body, ifMatch),
  trashWorkflow: (ctx, { params, ifMatch }) => workflows.trashWorkflow(ctx, params.id, ifMatch),
  restoreWorkflow: (ctx, { params }) => workflows.restoreWorkflow(ctx, params.id),
  saveWorkflowDraft: (ctx, { params, body, ifMatch }) => workflows.saveDraft(ctx, params.id, body, ifMatch),
  discardWorkflowDraft: (ctx, { params, ifMatch }) => workflows.discardDraft(ctx, params.id, ifMatch),
  publishWorkflow: (ctx, { params, ifMatch }) => workflows.publishWorkflow(ctx, params.id, ifMatch),
  listWorkflowVersions: (ctx, { params, query }) => workflows.listVersions(ctx, params.id, query),
  compareWorkflowVersion: (ctx, { params, query }) =>
    workflows.compareVersion(ctx, params.id, Number(params.version), query.since),
  testWorkflow: (ctx, { params, body }) => tryWorkflow(ctx, params.id, body),
  startWorkflow: (ctx, { params, body }) => startFor(ctx, params.id, body.lead_ids),
  startWorkflowForMatching: (ctx, { params, body }) => startMatching(ctx, params.id, body.filter),
  listWorkflowRuns: (ctx, { params, query }) => runs.listRuns(ctx, params.id, query),
  readWorkflowRun: (ctx, { params }) => runs.readRun(ctx, params.id),
  cancelWorkflowRun: (ctx, { params }) => runs.cancelRun(ctx, params.id),
  pauseWorkflowRun: (ctx, { params }) => runs.pauseRun(ctx, params.id),
  resumeWorkflowRun: (ctx, { params }) => runs.resumeRun(ctx, params.id),
  retryWorkflowRun: (ctx, { params }) => runs.retryRun(ctx, params.id),
  replayWorkflowRun: (ctx, { params }) => runs.replayRun(ctx, params.id),
}
