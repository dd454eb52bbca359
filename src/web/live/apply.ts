import type { Lead } from '#domains/leads/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { applyLines } from '../records/calls/lines.ts'
import { applyConversation, applyWriting, isOnlyWriting } from '../records/conversations/live.ts'
import { applyImport } from '../records/imports/imports-cache.ts'
import { applyProgress } from '../records/leads/bulk-changes.ts'
import { patch } from '../records/cache.ts'
import { leadList, refreshLists } from '../records/leads/cache.ts'
import { leadsShape } from '../records/leads/search.ts'
import { fromFilterText } from '../ui/record-list/search.ts'
import { queryClient } from '../query-client.ts'
import { cacheKeys } from '../queries.ts'
import { refreshOpenTimelines, refreshTimeline } from '../records/leads/timeline-cache.ts'
import { putSoon } from './put-soon.ts'
import { settled } from '../records/settled.ts'

/** Applies a change to what this tab shows. */
export function applyChange(change: LiveChange, userId: string): void {
  // Call transcripts change nothing else, and arrive several times a second.
  if (change.type === CALL_LINES) return applyLines(change)
  if (isOnlyWriting(change)) return applyWriting(change, userId)
  refreshHomeSoon()
  applyProgress(change)
  applyImport(change)
  applyConversation(change)
  showAtOnce(change)
  if (change.subject.kind === 'lead') applyLead(change, userId)
  else for (const [prefix, refresh] of refreshers) if (change.type.startsWith(prefix)) refresh()
  if (
    [
      'opportunity',
      'task',
      'project',
      'submission',
      'message',
      'enrolment',
      'workflow_run',
      'invoice',
      'meeting',
      'candidate',
    ].includes(change.subject.kind)
  )
    refreshOpenTimelines()
}

const CALL_LINES = 'call.lines'

/** Changes of these carry the fields as the API returns them, so they are shown before anything is reloaded. */
const TOLD = ['lead', 'account', 'opportunity', 'project', 'task']

function showAtOnce({ type, subject: { kind, id }, data, at }: LiveChange): void {
  if (TOLD.includes(kind) && type === `${kind}.changed`)
    putSoon({ updated_at: at, ...(data.after as object), id })
}

const others: [prefix: string, key: readonly string[]][] = [
  ['lead_settings.', cacheKeys.leadSettings],
  ['account_settings.', cacheKeys.accountSettings],
  ['account.', cacheKeys.accounts],
  ['candidate.', cacheKeys.candidates],
  ['opportunity.', cacheKeys.opportunities],
  ['opportunity.', cacheKeys.leadBoard],
  ['task.', cacheKeys.tasks],
  ['task.', cacheKeys.projects],
  ['project.', cacheKeys.projects],
  ['import.', cacheKeys.imports],
  ['bulk_change.', cacheKeys.bulkChanges],
  ['view.', cacheKeys.views],
  ['notification.', cacheKeys.notifications],
  ['form.', cacheKeys.forms],
  ['form.', cacheKeys.submissions],
  ['submission.', cacheKeys.submissions],
  ['submission.', cacheKeys.forms],
  ['webhook:', cacheKeys.inbox],
  ['webhook_endpoint.', cacheKeys.webhookEndpoints],
  ['webhook_delivery.', cacheKeys.deliveries],
  ['sequence.', cacheKeys.sequences],
  ['workflow.', cacheKeys.workflows],
  ['workflow.', cacheKeys.workflowRuns],
  ['outreach.', cacheKeys.enrolments],
  ['outreach.', cacheKeys.sequences],
  ['email.', cacheKeys.messages],
  ['sms.', cacheKeys.messages],
  ['whatsapp.', cacheKeys.messages],
  ['message.', cacheKeys.messages],
  ['email.', cacheKeys.enrolments],
  ['sms.', cacheKeys.enrolments],
  ['whatsapp.', cacheKeys.enrolments],
  ['message.', cacheKeys.enrolments],
  ['template.', cacheKeys.templates],
  // Whether a sequence can be activated depends on its templates and on the meeting link.
  ['template.', cacheKeys.sequences],
  ['outreach_settings.', cacheKeys.sequences],
  ['availability.', cacheKeys.sequences],
  ['suppression.', cacheKeys.suppressions],
  ['outreach_settings.', cacheKeys.outreachSettings],
  ['invoice.', cacheKeys.invoices],
  ['billing_settings.', cacheKeys.billingSettings],
  ['credits.', cacheKeys.credits],
  ['agent.', cacheKeys.agents],
  ['agent.', cacheKeys.workflowCatalog],
  ['call.', cacheKeys.calls],
  ['call_consent.', cacheKeys.callConsents],
  ['meeting.', cacheKeys.meetings],
  ['availability.', cacheKeys.availability],
  ['availability.', cacheKeys.meetings],
  ['calendar.', cacheKeys.calendar],
  ['calendar.', cacheKeys.meetings],
  ['key.', cacheKeys.apiKeys],
  ['job.', ['jobs']],
  ['saved_reply.', cacheKeys.savedReplies],
  ['whatsapp_template.', cacheKeys.whatsappTemplates],
  ['conversation_settings.', cacheKeys.conversationSettings],
  ['mailbox.', cacheKeys.mailboxes],
  ['chat_widget.', cacheKeys.chatWidgets],
]

// During an import of thousands, or while others move cards, a board is reloaded now and then, not at every change.
const refreshers = others.map(
  ([prefix, queryKey]) => [prefix, settled(() => queryClient.invalidateQueries({ queryKey }))] as const,
)

const refreshSoon = settled(refreshLists)
const refreshLeadBoardSoon = settled(() => queryClient.invalidateQueries({ queryKey: cacheKeys.leadBoard }))
// The home page counts nearly everything.
const refreshHomeSoon = settled(() => queryClient.invalidateQueries({ queryKey: cacheKeys.home }))

function applyLead(change: LiveChange, userId: string): void {
  const { id } = change.subject
  refreshTimeline(id)
  refreshLeadBoardSoon()
  switch (change.type) {
    case 'lead.changed': {
      const after = change.data.after as Partial<Lead>
      if ('account_id' in after) void queryClient.invalidateQueries({ queryKey: ['leads', 'of-account'] })
      // A row that no longer matches disappears, but not while it is being edited.
      if (change.actor_id !== userId && concernsAList(Object.keys(after))) refreshSoon()
      break
    }
    case 'lead.trashed':
      patch(id, { deleted_at: change.at })
      refreshSoon()
      break
    case 'lead.restored':
      patch(id, { deleted_at: null })
      refreshSoon()
      break
    case 'lead.created':
      refreshSoon()
      break
    case 'call_consent.changed':
      void queryClient.invalidateQueries({ queryKey: [...cacheKeys.callConsents, id] })
      break
    default:
      patch(id, { last_activity_at: change.at })
  }
}

/** Whether a visible list filters or sorts by one of these. */
function concernsAList(fields: string[]): boolean {
  const lists = queryClient.getQueryCache().findAll({ queryKey: [...leadList.key, 'list'], type: 'active' })
  return lists.some(({ queryKey }) => {
    const search = fromFilterText(leadsShape, String(queryKey[2] ?? ''))
    const sort = search.sort?.replace('-', '')
    // A filter on any field may look at what has changed, or at what it belongs to.
    if (search.filter !== undefined) return true
    return fields.some(field => field === sort || (field in leadsShape.lists && search[field]))
  })
}
