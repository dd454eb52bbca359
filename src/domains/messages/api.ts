import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { previewTemplate } from './preview.ts'
import * as messages from './service.ts'
import * as settings from './settings.ts'
import { takeWhatsApp, verifyWhatsApp } from './whatsapp-inbound.ts'
import { takeSms } from './sms-inbound.ts'
import { trackClick, trackOpen } from './tracking.ts'
import { showUnsubscribe, unsubscribe } from './unsubscribe.ts'

export const api: Handlers<typeof endpoints> = {
  listMessages: (ctx, { query }) => messages.listMessages(ctx, query),
  readMessage: (ctx, { params }) => messages.readMessage(ctx, params.id),
  retryMessage: (ctx, { params }) => messages.retryMessage(ctx, params.id),
  cancelMessage: (ctx, { params }) => messages.cancelMessage(ctx, params.id),
  previewTemplate: (ctx, { body }) => previewTemplate(ctx, body),
  readOutreachSettings: ctx => settings.getSettings(ctx),
  changeOutreachSettings: (ctx, { body, ifMatch }) => settings.changeSettings(ctx, body, ifMatch),
  pauseOutreach: ctx => settings.pauseAll(ctx),
  resumeOutreach: ctx => settings.resumeAll(ctx),
  trackOpen: (ctx, input) => trackOpen(ctx, input),
  trackClick: (ctx, input) => trackClick(ctx, input),
  showUnsubscribe: (ctx, input) => showUnsubscribe(ctx, input),
  unsubscribe: (ctx, input) => unsubscribe(ctx, input),
  smsWebhook: (ctx, input) => takeSms(ctx, input),
  verifyWhatsApp: (ctx, { query }) => verifyWhatsApp(ctx, query),
  receiveWhatsApp: (ctx, input) => takeWhatsApp(ctx, input),
}
