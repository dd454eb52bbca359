import { useQuery } from '@tanstack/react-query'
import type { Conversation } from '#domains/conversations/contract.ts'
import { conversationChannels, type ConversationChannel } from '#domains/conversations/values.ts'
import { addressOf, channelOf } from '../records/conversations/words.ts'
import { leads } from '../records/leads/store.ts'

/** The channels for which there is an address. */
export function useChannels(conversation: Conversation): ConversationChannel[] {
  const { lead_id } = conversation
  const lead = useQuery({ ...leads.query(lead_id ?? ''), enabled: lead_id !== null, retry: false }).data
  const own = channelOf(addressOf(conversation))
  return conversationChannels.filter(
    channel =>
      channel === own ||
      (channel === 'chat'
        ? conversation.channel === 'chat'
        : channel === 'email'
          ? lead?.email
          : lead?.phone),
  )
}
