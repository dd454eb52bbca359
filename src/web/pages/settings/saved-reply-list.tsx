import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPencil from 'icon:pencil'
import IconPlus from 'icon:plus'
import IconTrash from 'icon:trash'
import { lazy, Suspense, useState } from 'react'
import type { SavedReply } from '#domains/conversations/contract.ts'
import { SAVED_REPLIES_MAX } from '#domains/conversations/values.ts'
import { savedRepliesQuery } from '../../records/conversations/conversations-cache.ts'
import { addSavedReply, deleteSavedReply } from '../../records/conversations/saved-reply-writes.ts'
import { Bar, Fault } from '../../ui/states.tsx'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './saved-replies.module.css'

const SavedReplyDialog = lazy(() =>
  import('./saved-reply-dialog.tsx').then(({ SavedReplyDialog }) => ({ default: SavedReplyDialog })),
)

/** Texts that the composer of the inbox inserts. */
export function SavedReplyList({ editable }: { editable: boolean }) {
  const { data: replies, error, refetch } = useQuery(savedRepliesQuery)
  const [open, setOpen] = useState<SavedReply | 'new' | null>(null)
  if (error && !replies) return <Fault error={error} retry={() => void refetch()} />
  if (!replies) return <Bar width="100%" height={120} />
  return (
    <>
      {replies.length === 0 && <p className={textClasses.dim}>No saved replies yet.</p>}
      {replies.length > 0 && (
        <ul className={rowsClasses.rows} aria-label="Saved replies">
          {replies.map(reply => (
            <li key={reply.id} className={classes.row}>
              <span className={classes.words}>
                <span className={classes.name}>{reply.name}</span>
                <span className={`${textClasses.meta} ${textClasses.cut}`} dir="auto">
                  {reply.text}
                </span>
              </span>
              {editable && (
                <>
                  <ActionIcon size="sm" aria-label={`Edit ${reply.name}`} onClick={() => setOpen(reply)}>
                    <IconPencil size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Delete ${reply.name}`}
                    onClick={() => void remove(reply)}
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {editable && replies.length < SAVED_REPLIES_MAX && (
        <Button mt="sm" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          Add saved reply
        </Button>
      )}
      {open && (
        <Suspense fallback={null}>
          <SavedReplyDialog reply={open === 'new' ? undefined : open} close={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}

async function remove({ id, name, text }: SavedReply): Promise<void> {
  try {
    await deleteSavedReply(id)
    toastWithUndo(`Deleted ${name}`, () => addSavedReply({ name, text }))
  } catch (error) {
    toastFault(error, "Couldn't delete the saved reply")
  }
}
