import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Conversation } from '#domains/conversations/contract.ts'
import { conversationChannels, type ConversationChannel } from '#domains/conversations/values.ts'
import { threadQuery } from '../records/conversations/conversations-cache.ts'
import { whatsappTemplatesQuery } from '../records/conversations/whatsapp-templates.ts'
import { useHasChat } from '../records/conversations/visits.ts'
import { addressOf, channelOf } from '../records/conversations/words.ts'
import { leads } from '../records/leads/store.ts'

/** Where it was used, or there are templates to begin with. */
function useHasWhatsApp({ id, channel }: Conversation, hasPhone: boolean): boolean {
  const entries = useInfiniteQuery(threadQuery(id)).data?.pages[0]?.data ?? []
  const isUsed = channel === 'whatsapp' || entries.some(entry => entry.channel === 'whatsapp')
  const templates = useQuery({ ...whatsappTemplatesQuery, enabled: hasPhone && !isUsed }).data
  return isUsed || (hasPhone && (templates?.length ?? 0) > 0)
}

/** The channels for which there is an address. */
export function useChannels(conversation: Conversation): ConversationChannel[] {
  const { lead_id } = conversation
  const lead = useQuery({ ...leads.query(lead_id ?? ''), enabled: lead_id !== null, retry: false }).data
  const own = channelOf(addressOf(conversation))
  const hasChat = useHasChat(conversation)
  const hasWhatsApp = useHasWhatsApp(conversation, Boolean(lead?.phone))
  const isUsable: Record<ConversationChannel, boolean> = {
    email: Boolean(lead?.email),
    sms: Boolean(lead?.phone),
    chat: hasChat,
    whatsapp: hasWhatsApp,
  }
  return conversationChannels.filter(channel => channel === own || isUsable[channel])
}
