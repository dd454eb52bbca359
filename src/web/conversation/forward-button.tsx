import { ActionIcon } from '@mantine/core'
import IconArrowForwardUp from 'icon:arrow-forward-up'
import { lazy, Suspense, useEffect } from 'react'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { closeForward, forwarding, openForward } from '../records/conversations/forwarding.ts'
import classes from './entry.module.css'

const ForwardDialog = lazy(() =>
  import('./forward-dialog.tsx').then(({ ForwardDialog }) => ({ default: ForwardDialog })),
)

type Props = { entry: ConversationEntry; conversation: Conversation }

/** Passes this email on. Its dialog is also opened by the palette, and when a forwarded email is taken back. */
export function ForwardButton({ entry, conversation }: Props) {
  const { id } = entry
  const isOpen = forwarding.use(now => now === id)
  useEffect(
    () => () => {
      if (forwarding.get() === id) closeForward()
    },
    [id],
  )
  return (
    <>
      <ActionIcon
        size="sm"
        className={classes.forward}
        aria-label="Forward"
        title="Forward"
        onClick={() => openForward(entry)}
      >
        <IconArrowForwardUp size={16} />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <ForwardDialog conversation={conversation} entry={entry} close={closeForward} />
        </Suspense>
      )}
    </>
  )
}
