import type { Context } from '#platform/context.ts'
import type { Handlers, SignedBody } from '#platform/contract.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { endpoints } from './contract.ts'
import { listInbox, readInboxEvent, replayInbox, replayInboxEvent } from './inbox.ts'
import { acceptEvent } from './intake.ts'
import { withResult } from './with-result.ts'

export const api: Handlers<typeof endpoints> = {
  receivePayment: received('payment'),
  receiveVoice: received('voice'),
  receiveEmail: received('email'),
  receiveRealtime: received('realtime'),
  listInbox: (ctx, { query }) => listInbox(ctx, query),
  readInboxEvent: (ctx, { params }) => readInboxEvent(ctx, params.id),
  replayInboxEvent: (ctx, { params }) => replayInboxEvent(ctx, params.id),
  replayInbox: (ctx, { body }) => replayInbox(ctx, body),
}

type Received = {
  body: SignedBody
  query: { team?: string; wait?: number }
  headers: Record<string, string | undefined>
}

function received(endpoint: SignedEndpoint) {
  return async (ctx: Context, { body, query, headers }: Received) => {
    const { team, wait } = query
    const receipt = await acceptEvent(ctx, endpoint, { ...body, headers, ...(team && { team }) })
    return withResult(ctx, endpoint, receipt, { body: body.json, wait, prefer: headers.prefer })
  }
}
