import type { Handlers } from '#platform/contract.ts'
import { csvAnswer } from '#platform/csv-export.ts'
import type { endpoints } from './contract.ts'
import * as projects from './projects.ts'
import * as tasks from './tasks.ts'

export const api: Handlers<typeof endpoints> = {
  listProjects: (ctx, { query }) => projects.listProjects(ctx, query),
  createProject: (ctx, { body }) => projects.createProject(ctx, body),
  readProject: (ctx, { params }) => projects.getProject(ctx, params.id),
  readBoard: (ctx, { params }) => projects.readBoard(ctx, params.id),
  changeProject: (ctx, { params, body, ifMatch }) => projects.changeProject(ctx, params.id, body, ifMatch),
  trashProject: (ctx, { params, ifMatch }) => projects.trashProject(ctx, params.id, ifMatch),
  restoreProject: (ctx, { params }) => projects.restoreProject(ctx, params.id),
  listTasks: (ctx, { query }) => tasks.listTasks(ctx, query),
  exportTasks: (ctx, { query, method }) =>
    csvAnswer(ctx, 'tasks', { method, query }, tasks.exportTasks(ctx, query)),
  createTask: (ctx, { body }) => tasks.createTask(ctx, body),
  readTask: (ctx, { params }) => tasks.getTask(ctx, params.id),
  changeTask: (ctx, { params, body, ifMatch }) => tasks.changeTask(ctx, params.id, body, ifMatch),
  moveTask: (ctx, { params, body, ifMatch }) => tasks.moveTask(ctx, params.id, body, ifMatch),
  trashTask: async (ctx, { params, ifMatch }) => void (await tasks.trashTask(ctx, params.id, ifMatch)),
  restoreTask: (ctx, { params }) => tasks.restoreTask(ctx, params.id),
}
