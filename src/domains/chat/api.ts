import type { Handlers } from '#platform/contract.ts'
import { fileAnswer, scriptAnswer } from './assets.ts'
import type { endpoints } from './contract.ts'
import { readChatFile, uploadChatFile } from './files.ts'
import { logoAnswer, removeLogo, uploadLogo } from './logos.ts'
import { leaveMessage, showChatPage } from './page.ts'
import { beginChat, changeSession, shownWidget } from './sessions.ts'
import { stateOf } from './state.ts'
import { streamChat } from './stream.ts'
import * as talking from './talking.ts'
import { visitorOf } from './visitors.ts'
import { readVisit } from './visits.ts'
import * as widgets from './widgets.ts'

export const api: Handlers<typeof endpoints> = {
  listChatWidgets: (ctx, { query }) => widgets.listWidgets(ctx, query),
  createChatWidget: (ctx, { body }) => widgets.createWidget(ctx, body),
  readChatWidget: (ctx, { params }) => widgets.getWidget(ctx, params.id),
  changeChatWidget: (ctx, { params, body, ifMatch }) => widgets.changeWidget(ctx, params.id, body, ifMatch),
  deleteChatWidget: (ctx, { params }) => widgets.deleteWidget(ctx, params.id),
  uploadChatLogo: (ctx, { params, headers, body, ifMatch }) =>
    uploadLogo(ctx, params.id, headers, body, ifMatch),
  deleteChatLogo: (ctx, { params, ifMatch }) => removeLogo(ctx, params.id, ifMatch),
  readChatVisit: (ctx, { params }) => readVisit(ctx, params.id),
  showChatWidget: (ctx, { params, query }) => shownWidget(ctx, params.id, query.language),
  beginChat: (ctx, { params, body, headers }) => beginChat(ctx, params.id, body, headers),
  readChat: async (ctx, { query, headers }) => talking.history(await visitorOf(ctx, headers), query.after),
  sayInChat: async (ctx, { body, headers }) => talking.say(await visitorOf(ctx, headers), body),
  streamChat: async (ctx, { query, headers, signal }) =>
    streamChat(await visitorOf(ctx, headers), headers['last-event-id'] ?? query.after, signal),
  seenInChat: async (ctx, { body, headers }) => talking.seen(await visitorOf(ctx, headers), body.until),
  writingInChat: async (ctx, { headers }) => talking.writing(await visitorOf(ctx, headers)),
  askForPerson: async (ctx, { headers }) => talking.askForPerson(await visitorOf(ctx, headers)),
  changeChatSession: async (ctx, { body, headers }) => {
    const visitor = await visitorOf(ctx, headers)
    return stateOf({ ...visitor, session: await changeSession(visitor, body.answers) })
  },
  uploadChatFile: async (ctx, { headers, body }) =>
    uploadChatFile(await visitorOf(ctx, headers), headers, body),
  readChatFile: async (ctx, { params, headers, method }) =>
    readChatFile(await visitorOf(ctx, headers), params.id, method),
  showChatPage: (ctx, input) => showChatPage(ctx, input),
  leaveMessage: (ctx, input) => leaveMessage(ctx, input),
  readChatScript: (_, { headers }) => scriptAnswer(headers),
  readChatLogo: (ctx, { params }) => logoAnswer(ctx, params.id, params.hash),
  readChatAsset: (_, { params, headers }) => fileAnswer(params.file, headers),
}
