import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import * as operations from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listDeadJobs: (ctx, { query }) => operations.listDeadJobs(ctx, query),
  retryDeadJob: (ctx, { params }) => operations.retryDeadJob(ctx, params.id),
  discardDeadJob: (ctx, { params }) => operations.discardDeadJob(ctx, params.id),
  listScheduledJobs: ctx => operations.listScheduledJobs(ctx),
  runScheduledJob: (ctx, { params }) => operations.runScheduledJob(ctx, params.job),
  runScheduledJobByGet: (ctx, { params }) => operations.runScheduledJob(ctx, params.job),
}
