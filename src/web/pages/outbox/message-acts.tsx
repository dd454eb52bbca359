import { Button } from '@mantine/core'
import { useState } from 'react'
import type { MessageContent } from '#domains/messages/contract.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { cancelMessage, sendAgain, tryAgain } from './message-writes.ts'

/** Cancel or resend, depending on the status. */
export function MessageActs({ message }: { message: MessageContent }) {
  const { status, address } = message
  const [asked, setAsked] = useState<'cancel' | 'again'>()
  const { busy, submit } = useSubmit(() => tryAgain(message))
  const close = () => setAsked(undefined)
  return (
    <>
      {status === 'DUE' && (
        <Button size="xs" variant="default" onClick={() => setAsked('cancel')}>
          Cancel sending
        </Button>
      )}
      {status === 'FAILED' && (
        <Button size="xs" variant="default" loading={busy} onClick={submit}>
          Resend
        </Button>
      )}
      {status === 'UNKNOWN' && (
        <Button size="xs" variant="default" onClick={() => setAsked('again')}>
          Resend…
        </Button>
      )}
      {asked === 'cancel' && (
        <Confirm
          title={`Cancel the message to ${address}?`}
          verb="Cancel message"
          act={() => cancelMessage(message)}
          close={close}
        >
          It will not be sent, and this cannot be undone. The sequence continues with its next step.
        </Confirm>
      )}
      {asked === 'again' && (
        <Confirm
          title={`Resend to ${address}?`}
          verb="Resend message"
          act={() => sendAgain(message)}
          close={close}
        >
          It may already have been sent. If so, it will arrive twice.
        </Confirm>
      )}
    </>
  )
}
