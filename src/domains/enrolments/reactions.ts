import { on } from '#platform/registry.ts'
import { leadTrashed } from '#domains/leads/contract.ts'
import { messageEvents, outreachSettingsChanged } from '#domains/messages/contract.ts'
import { sequenceEvents } from '#domains/sequences/contract.ts'
import { suppressionAdded } from '#domains/suppressions/contract.ts'
import { templateEvents } from '#domains/templates/contract.ts'
import * as following from './engagement.ts'

export const reactions = [
  on(messageEvents.opened, 'enrolments.opened', following.opened),
  on(messageEvents.clicked, 'enrolments.clicked', following.clicked),
  on(messageEvents.replied, 'enrolments.replied', following.replied),
  on(messageEvents.smsReplied, 'enrolments.replied', following.replied),
  on(messageEvents.bounced, 'enrolments.bounced', following.bounced),
  on(messageEvents.smsBounced, 'enrolments.bounced', (ctx, event) => following.bounced(ctx, event)),
  on(messageEvents.complained, 'enrolments.complained', following.complained),
  on(messageEvents.unsubscribed, 'enrolments.unsubscribed', following.unsubscribed),
  on(messageEvents.smsUnsubscribed, 'enrolments.unsubscribed', following.unsubscribed),
  on(messageEvents.cancelled, 'enrolments.cancelled', following.messageCancelled),
  on(messageEvents.found, 'enrolments.found', following.messageFound),
  on(messageEvents.retried, 'enrolments.retried', following.messageRetried),
  on(suppressionAdded, 'enrolments.suppressed', following.suppressed),
  on(leadTrashed, 'enrolments.lead_gone', following.leadGone),
  on(sequenceEvents.changed, 'enrolments.sequence', following.sequenceChanged),
  on(outreachSettingsChanged, 'enrolments.settings', following.settingsChanged),
  on(templateEvents.created, 'enrolments.template', following.templateCame),
  on(templateEvents.restored, 'enrolments.template', following.templateCame),
  on(templateEvents.changed, 'enrolments.template', following.templateCame),
]
