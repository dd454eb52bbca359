import { useInfiniteQuery } from '@tanstack/react-query'
import type { Conversation } from '#domains/conversations/contract.ts'
import { isEmail, threadQuery } from '../records/conversations/conversations-cache.ts'
import { useSenders, useUsualSender, type Sender } from '../records/conversations/senders.ts'

type From = {
  senders: readonly Sender[]
  /** Null for the mailbox of the installation; undefined where there is nothing to choose from. */
  from: string | null | undefined
}

/** From which mailbox a reply goes: the chosen one, or that of the last email. */
export function useReplyFrom({ id, mailbox_id }: Conversation, chosen: string | null | undefined): From {
  const entries = useInfiniteQuery(threadQuery(id)).data?.pages[0]?.data
  const last = entries?.find(isEmail)
  return useFrom(chosen, last ? last.mailbox_id : (mailbox_id ?? undefined))
}

/** The first of these that can be sent from, or else the usual one. */
export function useFrom(...wanted: (string | null | undefined)[]): From {
  const senders = useSenders()
  const usual = useUsualSender()
  if (senders.length < 2) return { senders, from: undefined }
  const from = wanted.find(each => senders.some(({ id }) => id === each))
  return { senders, from: from === undefined ? usual : from }
}
