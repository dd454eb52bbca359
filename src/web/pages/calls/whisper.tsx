import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent, RefObject } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { PROMPT_LENGTH_MAX } from '#domains/softphone/values.ts'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { whisper } from '../../records/calls/call-writes.ts'
import classes from './transcript.module.css'

type Props = { call: Call; field: RefObject<HTMLTextAreaElement | null> }

/** Sends the agent a message that the other side does not hear. */
export function Whisper({ call, field }: Props) {
  const { text, setText, submit, busy } = useOutgoing({ send: words => whisper(call.id, words) })
  const isConnected = call.status === 'CONNECTED'

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    } else if (event.key === 'Escape') field.current?.blur()
  }

  return (
    <form
      className={classes.whisper}
      aria-label="Whisper to the agent"
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        ref={field}
        className={classes.whisperField}
        aria-label="Whisper to the agent"
        aria-keyshortcuts="w"
        placeholder={isConnected ? 'Whisper: only the agent hears it' : 'Whisper once they answer'}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={PROMPT_LENGTH_MAX}
        disabled={!isConnected}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" variant="default" loading={busy} disabled={!isConnected || !text.trim()}>
        Whisper
      </Button>
    </form>
  )
}
