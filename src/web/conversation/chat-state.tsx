import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { useLastSeen } from '../records/conversations/visits.ts'
import { exactly } from '../ui/time.tsx'

type Props = { entry: ConversationEntry; id: string; className: string | undefined }

/** Below the last message that the visitor has seen, as those before it were seen too. */
export function ChatState({ entry, id, className }: Props) {
  const isLast = useLastSeen(id) === entry.id
  if (!isLast || entry.opened_at === null) return null
  return (
    <p className={className} title={exactly(entry.opened_at)}>
      Seen
    </p>
  )
}
