import type { Handlers } from '#platform/contract.ts'
import { beginConnecting, finishConnecting, wishIn } from './connect.ts'
import type { endpoints } from './contract.ts'
import { readDomain } from './domain-health.ts'
import { findServers } from './known-servers.ts'
import * as mailboxes from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listMailboxes: (ctx, { query }) => mailboxes.listMailboxes(ctx, query),
  createMailbox: (ctx, { body }) => mailboxes.createMailbox(ctx, body),
  findMailServers: (ctx, { query }) => findServers(ctx, query.address),
  readMailbox: (ctx, { params }) => mailboxes.getMailbox(ctx, params.id),
  changeMailbox: (ctx, { params, body, ifMatch }) => mailboxes.changeMailbox(ctx, params.id, body, ifMatch),
  deleteMailbox: (ctx, { params, ifMatch }) => mailboxes.disconnectMailbox(ctx, params.id, ifMatch),
  checkMailbox: (ctx, { params }) => mailboxes.checkMailbox(ctx, params.id),
  readMailboxDomain: (ctx, { params }) => readDomain(ctx, params.id),
  connectMailbox: (ctx, { params, query }) => beginConnecting(ctx, params.provider, wishIn(query)),
  finishConnecting: (ctx, { query, headers }) => finishConnecting(ctx, query, headers.cookie),
}
