import type { Handlers } from '#platform/contract.ts'
import { listListings, showCatalogue } from './catalogue.ts'
import type { endpoints } from './contract.ts'
import * as deployments from './deployments.ts'
import { purchaseAgent, readyAnswer } from './purchase.ts'
import * as agents from './service.ts'
import { listVersions, restoreVersion } from './versions.ts'

export const api: Handlers<typeof endpoints> = {
  listAgents: (ctx, { query }) => agents.listAgents(ctx, query),
  createAgent: (ctx, { body }) => agents.createAgent(ctx, body),
  readAgent: (ctx, { params }) => agents.getAgent(ctx, params.id),
  changeAgent: (ctx, { params, body, ifMatch }) => agents.changeAgent(ctx, params.id, body, ifMatch),
  trashAgent: (ctx, { params, ifMatch }) => agents.trashAgent(ctx, params.id, ifMatch),
  restoreAgent: (ctx, { params }) => agents.restoreAgent(ctx, params.id),
  readAgentSession: (ctx, { params }) => agents.readSession(ctx, params.id),
  listAgentVersions: (ctx, { params, query }) => listVersions(ctx, params.id, query),
  restoreAgentVersion: (ctx, { params, ifMatch }) =>
    restoreVersion(ctx, params.id, Number(params.version), ifMatch),
  listListings: (ctx, { query }) => listListings(ctx, query),
  showCatalogue: (ctx, { query }) => showCatalogue(ctx, { query }),
  purchaseAgent: Object.assign(purchaseAgent, { ready: readyAnswer }),
  listSales: (ctx, { query }) => deployments.listSales(ctx, query),
  listDeployments: (ctx, { query }) => deployments.listDeployments(ctx, query),
  readDeployment: (ctx, { params, headers }) => deployments.readDeployment(ctx, params.id, headers),
  claimDeployment: (ctx, { params, body }) => deployments.claimDeployment(ctx, params.id, body.key),
}
