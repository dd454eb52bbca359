import type { Handlers } from '#platform/contract.ts'
import { exportAnswerTimes, readAnswerTimes } from './answer-times.ts'
import { changeConversations } from './bulk.ts'
import type { endpoints } from './contract.ts'
import { checkFirstMessage } from './first-message.ts'
import type { mailboxEndpoints } from './mailbox-contract.ts'
import { previewSignature, readSent, sendTest } from './mailbox-tests.ts'
import { listLabels } from './label-store.ts'
import * as savedReplies from './saved-replies.ts'
import * as conversations from './service.ts'
import type { settingsEndpoints } from './settings-contract.ts'
import * as settings from './settings.ts'
import type { whatsappEndpoints } from './whatsapp-contract.ts'
import * as templates from './whatsapp-templates.ts'

export const api: Handlers<typeof endpoints> = {
  readAnswerTimes: (ctx, { query }) => readAnswerTimes(ctx, query),
  exportAnswerTimes: (ctx, { query, method }) => exportAnswerTimes(ctx, query, method),
  listConversations: (ctx, { query }) => conversations.listConversations(ctx, query),
  createConversation: (ctx, { body }) => conversations.createConversation(ctx, body),
  listConversationLabels: async ctx => ({ data: await listLabels(ctx) }),
  checkFirstMessage: (ctx, { query }) => checkFirstMessage(ctx, query),
  countConversations: ctx => conversations.countConversations(ctx),
  changeConversations: (ctx, { body }) => changeConversations(ctx, body),
  readConversation: (ctx, { params }) => conversations.getConversation(ctx, params.id),
  changeConversation: (ctx, { params, body, ifMatch }) =>
    conversations.changeConversation(ctx, params.id, body, ifMatch),
  markConversationRead: (ctx, { params }) => conversations.markRead(ctx, params.id),
  tellWriting: (ctx, { params }) => conversations.tellWriting(ctx, params.id),
  checkSending: (ctx, { params, query }) =>
    conversations.checkSending(ctx, params.id, query.channel, query.mailbox_id),
  listConversationMessages: (ctx, { params, query }) => conversations.listEntries(ctx, params.id, query),
  addConversationMessage: (ctx, { params, body, ifMatch }) =>
    conversations.addEntry(ctx, params.id, body, ifMatch),
  readConversationMessage: (ctx, { params }) => conversations.getEntry(ctx, params.id, params.message_id),
  draftReply: (ctx, { params }) => conversations.draft(ctx, params.id),
  readOriginalMessage: (ctx, { params, query }) =>
    conversations.readOriginal(ctx, params.id, params.message_id, query),
  cancelConversationMessage: (ctx, { params }) =>
    conversations.cancelEntry(ctx, params.id, params.message_id),
}

export const settingsApi: Handlers<typeof settingsEndpoints> = {
  listSavedReplies: (ctx, { query }) => savedReplies.listSavedReplies(ctx, query),
  createSavedReply: (ctx, { body }) => savedReplies.createSavedReply(ctx, body),
  readSavedReply: (ctx, { params }) => savedReplies.getSavedReply(ctx, params.id),
  changeSavedReply: (ctx, { params, body, ifMatch }) =>
    savedReplies.changeSavedReply(ctx, params.id, body, ifMatch),
  deleteSavedReply: (ctx, { params }) => savedReplies.deleteSavedReply(ctx, params.id),
  readConversationSettings: ctx => settings.findSettings(ctx),
  changeConversationSettings: (ctx, { body, ifMatch }) => settings.changeSettings(ctx, body, ifMatch),
}

export const whatsappApi: Handlers<typeof whatsappEndpoints> = {
  listWhatsAppTemplates: (ctx, { query }) => templates.listTemplates(ctx, query),
  createWhatsAppTemplate: (ctx, { body }) => templates.createTemplate(ctx, body),
  readWhatsAppTemplate: (ctx, { params }) => templates.getTemplate(ctx, params.id),
  deleteWhatsAppTemplate: (ctx, { params }) => templates.deleteTemplate(ctx, params.id),
  syncWhatsAppTemplates: ctx => templates.syncTemplates(ctx),
}

export const mailboxApi: Handlers<typeof mailboxEndpoints> = {
  readMailboxSending: (ctx, { params }) => readSent(ctx, params.id),
  previewSignature: (ctx, { params, body }) => previewSignature(ctx, params.id, body.signature),
  testMailbox: (ctx, { params, body }) => sendTest(ctx, params.id, body),
}
