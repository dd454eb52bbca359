import { ActionIcon } from '@mantine/core'
import IconSparkles from 'icon:sparkles'
import { useState } from 'react'
import type { ReplyDraft } from '#domains/conversations/contract.ts'
import { api } from '../api.ts'
import { inWords } from '../problem.ts'

type Props = {
  id: string
  disabled: boolean
  insert: (text: string) => void
  /** What the person should know of it. */
  tell: (notice: string) => void
}

/** Has an answer drafted. It is a text like any other until somebody sends it. */
export function DraftButton({ id, disabled, insert, tell }: Props) {
  const [busy, setBusy] = useState(false)
  async function draft() {
    setBusy(true)
    try {
      const drafted = await api('POST /api/conversations/:id/draft', { params: { id } })
      if (drafted.text) insert(drafted.text)
      tell(noticeOf(drafted))
    } catch (error) {
      tell(inWords(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ActionIcon
      aria-label="Draft a reply"
      title="Draft a reply"
      loading={busy}
      disabled={disabled}
      onClick={() => void draft()}
    >
      <IconSparkles size={18} />
    </ActionIcon>
  )
}

function noticeOf({ text, reason, sources, model, fell_back }: ReplyDraft): string {
  if (!text) return `No draft. ${reason ?? ''}`
  const from = sources.map(({ name }) => `“${name}”`).join(', ')
  const by = model?.startsWith('rules') ? 'Drafted' : 'Drafted by AI'
  return `${by}${from && ` from ${from}`}. Check it before you send.${fell_back ? ` ${fell_back}` : ''}`
}
