import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconUserPlus from 'icon:user-plus'
import { useState } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { createLeadOf, linkToLead } from '../../records/conversations/conversation-writes.ts'
import type { InboxSearch } from '../../records/conversations/search.ts'
import { addressOf, channelOf } from '../../records/conversations/words.ts'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import { toast } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-submit.ts'
import noticeClasses from '../../ui/notice.module.css'

type Props = { conversation: Conversation; search: InboxSearch }

/** Somebody who is no lead yet. */
export function UnknownAddress({ conversation, search }: Props) {
  const navigate = useNavigate()
  const canCreate = useCan('leads:write')
  const [picks, setPicks] = useState(false)
  const { busy, run } = useBusy("Couldn't link to a lead")
  const address = addressOf(conversation)

  async function follow(linked: Promise<Conversation>, say: string) {
    const { id } = await linked
    toast(say)
    // The lead may have had a conversation already: this one is part of it now.
    if (id !== conversation.id)
      await navigate({ to: patterns.conversation, params: { id }, search, replace: true })
  }

  const link = (
    <Button size="xs" variant="default" onClick={() => setPicks(true)}>
      Link to a lead
    </Button>
  )
  return (
    <div className={noticeClasses.bar} data-tone="plain">
      <IconUserPlus size={16} aria-hidden />
      <span>{channelOf(address) === 'chat' ? 'This visitor' : address} is not a lead yet.</span>
      {canCreate && (
        <Button
          size="xs"
          variant="default"
          loading={busy}
          onClick={() => run(() => follow(createLeadOf(conversation), 'Created lead'))}
        >
          Create lead
        </Button>
      )}
      {picks ? (
        <LeadPicker
          label="Find a lead"
          pick={lead => {
            setPicks(false)
            run(() => follow(linkToLead(conversation, lead), 'Linked to lead'))
          }}
          close={() => setPicks(false)}
        >
          {link}
        </LeadPicker>
      ) : (
        link
      )}
    </div>
  )
}
