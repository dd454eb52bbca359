import { noteMeeting } from '../outcome.ts'
import { bookFor, engageLead } from './booking.ts'
import type { Tool } from './tool.ts'

export const scheduleMeeting: Tool = {
  reachesOut: true,
  asked: (ctx, { lead_id }) => engageLead(ctx, lead_id),
  async use(ctx, { call, ref, arguments: given }) {
    const source = { source_key: `call ${call.id} ${ref}`, call_id: call.id }
    const { result, meeting } = await bookFor(ctx, call.lead_id, given, source)
    if (meeting) await noteMeeting(ctx, call.id, { id: meeting.id, starts_at: meeting.starts_at })
    return result
  },
}
