import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconTemplate from 'icon:template'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { savedRepliesQuery } from '../records/conversations/conversations-cache.ts'
import { Picker } from '../ui/picker.tsx'
import textClasses from '../ui/text.module.css'

/** Texts that are used again and again. */
export function SavedReplies({ insert }: { insert: (text: string) => void }) {
  const [open, setOpen] = useState(false)
  const replies = useQuery(savedRepliesQuery).data ?? []
  const button = (
    <ActionIcon aria-label="Saved replies" title="Saved replies" onClick={() => setOpen(!open)}>
      <IconTemplate size={18} />
    </ActionIcon>
  )
  if (!open) return button
  function pick(id: string) {
    setOpen(false)
    const reply = replies.find(each => each.id === id)
    if (reply) insert(reply.text)
  }
  return (
    <Picker
      label="Find a saved reply"
      options={replies.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={[]}
      pick={pick}
      close={() => setOpen(false)}
      width={280}
      footer={
        <Link to={paths.conversationSettings} className={textClasses.quiet}>
          Manage saved replies
        </Link>
      }
    >
      {button}
    </Picker>
  )
}
