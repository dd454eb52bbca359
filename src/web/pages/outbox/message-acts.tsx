import { Button } from '@mantine/core'
import { useState } from 'react'
import type { MessageContent } from '#domains/messages/contract.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { cancelMessage, sendAgain, tryAgain } from './message-writes.ts'

/** What can still be done about a message. */
export function MessageActs({ message }: { message: MessageContent }) {
  const { status, address } = message
  const [asked, setAsked] = useState<'cancel' | 'again'>()
  const { busy, submit } = useSubmit(() => tryAgain(message))
  const close = () => setAsked(undefined)
  return (
    <>
      {status === 'DUE' && (
        <Button size="xs" variant="default" onClick={() => setAsked('cancel')}>
          Cancel it
        </Button>
      )}
      {status === 'FAILED' && (
        <Button size="xs" variant="default" loading={busy} onClick={submit}>
          Send again
        </Button>
      )}
      {status === 'UNKNOWN' && (
        <Button size="xs" variant="default" onClick={() => setAsked('again')}>
          Send again…
        </Button>
      )}
      {asked === 'cancel' && (
        <Confirm
          title={`Cancel the message to ${address}?`}
          verb="Cancel the message"
          act={() => cancelMessage(message)}
          close={close}
        >
          It is not sent, and nobody can bring it back. The sequence goes on with its next step.
        </Confirm>
      )}
      {asked === 'again' && (
        <Confirm
          title={`Send it to ${address} again?`}
          verb="Send it again"
          act={() => sendAgain(message)}
          close={close}
        >
          Nobody knows whether it was sent the first time. If it was, it arrives twice.
        </Confirm>
      )}
    </>
  )
}
