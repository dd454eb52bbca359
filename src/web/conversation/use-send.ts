import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState, type RefObject } from 'react'
import type { Conversation, ConversationEntry, NewEntry } from '#domains/conversations/contract.ts'
import { inWords, isProblem } from '../problem.ts'
import { membersQuery, useUser } from '../queries.ts'
import { addEntry } from '../records/conversations/conversation-writes.ts'
import { threadQuery } from '../records/conversations/conversations-cache.ts'
import { changeDraft, replyDraft, sentReply } from '../records/conversations/drafts.ts'
import { refreshConversation } from '../records/conversations/refresh.ts'
import { mentionsIn } from '../records/conversations/text-parts.ts'
import { isSaid, mentionName } from '../records/conversations/words.ts'
import type { Tab } from './composer-tabs.tsx'
import { copiesFault, filesFault, goneFault, letterOf } from './letter.ts'

type When = { send_at?: string; send_anyway?: true }
type Props = {
  conversation: Conversation
  tab: Tab
  /** Undefined where there is one mailbox. */
  from: string | null | undefined
  field: RefObject<HTMLTextAreaElement | null>
}

/** Sends what was written. If it is refused, it stays where it is. */
export function useSend({ conversation, tab, from, field }: Props) {
  const members = useQuery(membersQuery).data ?? []
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [clash, setClash] = useState(false)
  const isUnderWay = useRef(false)

  function bodyOf(when: When): NewEntry {
    const { reply, note, subject, ...rest } = replyDraft(conversation.id)
    if (tab === 'note') {
      const named = mentionsIn(note, members.map(mentionName))
      const names = new Set(named.map(({ name }) => name))
      const mentions = members.filter(member => names.has(mentionName(member))).map(({ id }) => id)
      return { kind: 'note', text: note.trim(), ...(mentions.length > 0 && { mentions }) }
    }
    const isFirst = tab === 'email' && conversation.subject === null
    return {
      kind: 'reply',
      channel: tab,
      text: reply.trim(),
      ...(isFirst && { subject: subject.trim() }),
      ...(tab === 'email' && letterOf({ ...rest, from })),
      ...((tab === 'whatsapp' || tab === 'chat') &&
        letterOf({ files: rest.files, cc: [], bcc: [], from: undefined })),
      ...when,
    }
  }

  async function send(when: When): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    clear()
    try {
      const wrong = await faultOf(conversation.id, tab)
      if (wrong !== undefined) return setFault(wrong || undefined)
      const { id: seen } = await addEntry(conversation, bodyOf(when))
      changeDraft(conversation.id, tab === 'note' ? { note: '', seen } : { ...sentReply, seen })
    } catch (error) {
      if (isProblem(error, 412)) {
        // Shown before it is sent once more.
        await refreshConversation(conversation.id)
        setClash(true)
      } else setFault(goneFault(error, replyDraft(conversation.id).files) ?? inWords(error))
    } finally {
      isUnderWay.current = false
      setBusy(false)
      field.current?.focus()
    }
  }

  function clear(): void {
    setFault(undefined)
    setClash(false)
  }

  return { busy, fault, clash, send, clear }
}

/** Why it cannot be sent once the uploads are done; empty if somebody has removed a file meanwhile. */
async function faultOf(id: string, tab: Tab): Promise<string | undefined> {
  if (tab === 'sms' || tab === 'note') return undefined
  const { files } = replyDraft(id)
  const copies = tab === 'email' ? copiesFault(replyDraft(id)) : undefined
  return copies ?? (await filesFault(files, () => replyDraft(id).files))
}

/** The last message, and whether somebody else has written it since `seen`. */
export function useNewerMessage(id: string, seen: string | undefined) {
  const me = useUser().id
  const entries = useInfiniteQuery(threadQuery(id)).data?.pages[0]?.data ?? []
  const said = entries.filter(isSaid)
  const at = said.findIndex(each => each.id === seen)
  const since = seen === undefined ? [] : said.slice(0, at < 0 ? 0 : at)
  const newer: ConversationEntry | undefined = since.find(({ author }) => author.id !== me)
  return { last: said[0]?.id, newer }
}
