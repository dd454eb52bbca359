import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { getLead } from '#domains/leads/service.ts'
import { bookingApi } from './booking-page.ts'
import { connectionsApi } from './connections.ts'
import type { endpoints } from './contract.ts'
import { feedApi } from './feed.ts'
import { spanAsked } from './free-times.ts'
import { hostAsked } from './hosts.ts'
import { manageApi } from './manage-page.ts'
import type { publicEndpoints } from './public-contract.ts'
import * as meetings from './service.ts'

export const api: Handlers<typeof endpoints> = {
  listMeetings: (ctx, { query }) => meetings.listMeetings(ctx, query),
  createMeeting: (ctx, { body }) => meetings.bookMeeting(ctx, { ...body, origin: originOf(ctx) }),
  readMeeting: (ctx, { params }) => meetings.getMeeting(ctx, params.id),
  changeMeeting: (ctx, { params, body, ifMatch }) => meetings.changeMeeting(ctx, params.id, body, ifMatch),
  cancelMeeting: (ctx, { params, body, ifMatch }) => meetings.cancelMeeting(ctx, params.id, body, ifMatch),
  bookForLead: async (ctx, { params: { lead_id }, body }) => {
    await getLead(ctx, lead_id)
    return meetings.bookMeeting(ctx, { lead_id, ...body, origin: originOf(ctx) })
  },
  listSlots: async (ctx, { query }) =>
    meetings.findSlots(ctx, {
      ...spanAsked(ctx, query),
      host_id: await hostAsked(ctx, query.host_id),
      duration_min: query.duration_min,
      without: query.without,
    }),
  readAvailability: ctx => meetings.readAvailability(ctx, ctx.requirePerson().user_id),
  changeAvailability: (ctx, { body, ifMatch }) => meetings.changeAvailability(ctx, body, ifMatch),
  renewFeed: ctx => meetings.renewFeed(ctx),
  ...connectionsApi,
}

export const publicApi: Handlers<typeof publicEndpoints> = { ...bookingApi, ...manageApi, ...feedApi }

function originOf({ actor }: Context): 'person' | 'api' {
  return actor.kind === 'person' ? 'person' : 'api'
}
