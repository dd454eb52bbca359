import { custom } from './custom.ts'
import { endCall } from './end-call.ts'
import { lookUpLead } from './look-up-lead.ts'
import { scheduleMeeting } from './schedule-meeting.ts'
import type { Tool } from './tool.ts'
import { transfer } from './transfer.ts'
import { updateFieldTool } from './update-field.ts'

const builtIn = new Map<string, Tool>([
  ['schedule_meeting', scheduleMeeting],
  ['look_up_lead', lookUpLead],
  ['update_field', updateFieldTool],
  ['transfer', transfer],
  ['end_call', endCall],
])

/** Every other name is one of the team's own, or of nothing. */
export function toolOf(name: string): Tool {
  return builtIn.get(name) ?? custom
}
