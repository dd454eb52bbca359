import type { Handlers } from '#platform/contract.ts'
import { authorize } from './authorize.ts'
import * as clients from './clients.ts'
import { decide } from './consent.ts'
import type { endpoints } from './contract.ts'
import { listGrants, revokeGrant } from './grants.ts'
import { introspectToken } from './introspect.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { registerClient } from './register.ts'
import { revokeToken } from './revoke.ts'
import { issueTokens } from './token.ts'

export const api: Handlers<typeof endpoints> = {
  authorize: (ctx, { query }) => authorize(ctx, query),
  decide: (ctx, { body }) => decide(ctx, body as Record<string, string> | undefined),
  token: (ctx, { body, headers }) => issueTokens(ctx, body, headers.authorization),
  revoke: (ctx, { body, headers }) => revokeToken(ctx, body, headers.authorization),
  introspect: (ctx, { body, headers }) => introspectToken(ctx, body, headers.authorization),
  register: (ctx, { body }) => registerClient(ctx, body),
  readServerMetadata: ctx => serverMetadata(ctx.runtime.settings),
  readResourceMetadata: ctx => resourceMetadata(ctx.runtime.settings),
  listClients: (ctx, { query }) => clients.listClients(ctx, query),
  createClient: (ctx, { body }) => clients.createClient(ctx, body),
  readClient: (ctx, { params }) => clients.getClient(ctx, params.id),
  changeClient: (ctx, { params, body, ifMatch }) => clients.changeClient(ctx, params.id, body, ifMatch),
  deleteClient: (ctx, { params, ifMatch }) => clients.deleteClient(ctx, params.id, ifMatch),
  rotateSecret: (ctx, { params }) => clients.rotateSecret(ctx, params.id),
  listGrants: (ctx, { query }) => listGrants(ctx, query),
  revokeGrant: (ctx, { params }) => revokeGrant(ctx, params.id),
}
