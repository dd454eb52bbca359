import type { ActionName } from '../values.ts'
import type { Perform } from './action.ts'
import { perform as assign_to_rep } from './assign-to-rep.ts'
import { perform as call_webhook } from './call-webhook.ts'
import { perform as create_lead } from './create-lead.ts'
import { perform as create_project } from './create-project.ts'
import { perform as create_task } from './create-task.ts'
import { perform as generate_invoice } from './generate-invoice.ts'
import { perform as push_notification } from './push-notification.ts'
import { perform as reply } from './reply.ts'
import { perform as schedule_call } from './schedule-call.ts'
import { perform as send_email } from './send-email.ts'
import { perform as send_sms } from './send-sms.ts'
import { perform as update_conversation } from './update-conversation.ts'
import { perform as update_field } from './update-field.ts'

const own: { [Action in ActionName]: Perform<Action> } = {
  send_email,
  send_sms,
  create_task,
  update_field,
  assign_to_rep,
  push_notification,
  create_project,
  generate_invoice,
  call_webhook,
  schedule_call,
  reply,
  update_conversation,
  create_lead,
}

/** The implementation of each action. Callers pass requests for that action only. */
export const actions = own as unknown as Record<ActionName, Perform>
