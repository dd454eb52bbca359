import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { conversationOfLead, keepConversationOfLead } from '../../records/conversations/of-lead.ts'
import { Fault } from '../../ui/states.tsx'
import { ConversationWaiting } from './conversation-waiting.tsx'
import { showTexts } from './shown-texts.ts'

const Section = lazy(() =>
  import('../../conversation/lead-conversation.tsx').then(({ LeadConversation }) => ({
    default: LeadConversation,
  })),
)

/**
 * Loaded on its own, as most of it is the composer. It is given what it needs of this page: whatever it imported of it
 * would be in both.
 */
export function LeadConversation({ lead, takesNotes }: { lead: Lead; takesNotes: boolean }) {
  const { id } = lead
  const list = useInfiniteQuery(conversationOfLead(id))
  if (list.isError && !list.data) return <Fault error={list.error} retry={() => void list.refetch()} />
  const known = list.data && (list.data.pages[0]?.data[0] ?? null)
  const waiting = <ConversationWaiting lead={lead} known={known} />
  if (known === undefined) return waiting
  const keep = (begun: Conversation) => keepConversationOfLead(id, begun)
  return (
    <Suspense fallback={waiting}>
      <Section lead={lead} known={known} keep={keep} shows={showTexts} takesNotes={takesNotes} />
    </Suspense>
  )
}
