import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { listDeliveries, readDelivery, replayDelivery, replayFailed } from './deliveries.ts'
import {
  enableEndpoint,
  listEndpoints,
  readEndpoint,
  readSecret,
  rotateSecret,
  testEndpoint,
} from './endpoints.ts'

export const api: Handlers<typeof endpoints> = {
  listWebhookEndpoints: (ctx, { query }) => listEndpoints(ctx, query),
  readWebhookEndpoint: (ctx, { params }) => readEndpoint(ctx, params.id),
  enableWebhookEndpoint: (ctx, { params }) => enableEndpoint(ctx, params.id),
  readWebhookSecret: (ctx, { params }) => readSecret(ctx, params.id),
  rotateWebhookSecret: (ctx, { params }) => rotateSecret(ctx, params.id),
  testWebhookEndpoint: (ctx, { params }) => testEndpoint(ctx, params.id),
  listDeliveries: (ctx, { query }) => listDeliveries(ctx, query),
  readDelivery: (ctx, { params }) => readDelivery(ctx, params.id),
  replayDelivery: (ctx, { params }) => replayDelivery(ctx, params.id),
  replayFailedDeliveries: (ctx, { body }) => replayFailed(ctx, body),
}
