import type { Conversation } from '#domains/conversations/contract.ts'
import { conversationName } from '../../records/conversations/words.ts'
import { Beside } from '../../ui/drawer.tsx'
import { Rail } from './rail.tsx'

/** The rail, where there is no room beside the thread. Its actions are in the menu of the head. */
export function Details({ conversation, close }: { conversation: Conversation; close: () => void }) {
  return (
    <Beside title={conversationName(conversation)} close={close}>
      <Rail conversation={conversation} canWrite={false} />
    </Beside>
  )
}
