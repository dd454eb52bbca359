import { ActionIcon, Button, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import IconBraces from 'icon:braces'
import IconLink from 'icon:link'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { SIGNATURE_LENGTH_MAX } from '#domains/mailboxes/values.ts'
import { isProblem } from '../../problem.ts'
import { changeMailbox, readMailbox, sendMailboxTest } from '../../records/mailboxes/mailbox-writes.ts'
import { signatureQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

const QUIET_MS = 350
const SENDER_NAME = '{{senderName}}'

/** Markdown, with what it becomes below: the same text is in the emails that are sent. */
export function MailboxSignature({ mailbox, canChange }: { mailbox: Mailbox; canChange: boolean }) {
  const { id, address, updated_at } = mailbox
  const saved = mailbox.signature ?? ''
  const [typed, setTyped] = useState<string>()
  const text = typed ?? saved
  const signature = text.trim() || null
  const field = useRef<HTMLTextAreaElement>(null)
  const save = useSubmit(async () => {
    try {
      await changeMailbox(id, { signature }, updated_at)
    } catch (error) {
      if (!isProblem(error, 412)) throw error
      // Somebody changed something else of it: what is typed here is kept, and built on that.
      await changeMailbox(id, { signature }, (await readMailbox(id)).updated_at)
    }
    setTyped(undefined)
    toast('Saved the signature')
  }, "Couldn't save the signature")
  const test = useSubmit(async () => {
    toast(`Sent a test to ${await sendMailboxTest(id, signature)}`)
  }, "Couldn't send a test")

  /** Puts marks around what is selected, or around words to write over. */
  function mark(before: string, after: string, words: string) {
    const area = field.current
    if (!area) return
    const [from, until] = [area.selectionStart, area.selectionEnd]
    const chosen = text.slice(from, until) || words
    // The caret is there before the next key.
    flushSync(() => setTyped(text.slice(0, from) + before + chosen + after + text.slice(until)))
    area.focus()
    area.setSelectionRange(from + before.length, from + before.length + chosen.length)
  }

  return (
    <section aria-label="Signature">
      <div className={classes.partHead}>
        <h3 className={classes.part}>Signature</h3>
        <span className={textClasses.meta}>Same in preview and sent email</span>
      </div>
      {canChange && (
        <>
          <div className={classes.tools} role="group" aria-label="Format">
            <ActionIcon aria-label="Bold" onClick={() => mark('**', '**', 'bold')}>
              <b aria-hidden>B</b>
            </ActionIcon>
            <ActionIcon aria-label="Italic" onClick={() => mark('*', '*', 'italic')}>
              <i aria-hidden>I</i>
            </ActionIcon>
            <ActionIcon aria-label="Link" onClick={() => mark('[', '](https://)', 'link')}>
              <IconLink size={16} aria-hidden />
            </ActionIcon>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<IconBraces size={14} />}
              onClick={() => mark(SENDER_NAME, '', '')}
            >
              Sender’s name
            </Button>
          </div>
          <Textarea
            ref={field}
            aria-label={`Signature of ${address}`}
            placeholder="The team’s signature"
            value={text}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={SIGNATURE_LENGTH_MAX}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </>
      )}
      <Preview id={id} signature={signature} />
      {canChange && (
        <div className={`${classes.acts} ${classes.below}`}>
          <Button loading={save.busy} disabled={text === saved} onClick={save.submit}>
            Save
          </Button>
          <Button variant="default" loading={test.busy} onClick={test.submit}>
            Send me a test
          </Button>
        </div>
      )}
    </section>
  )
}

function Preview({ id, signature }: { id: string; signature: string | null }) {
  const [asked] = useDebouncedValue(signature, QUIET_MS)
  const { data } = useQuery({ ...signatureQuery(id, asked), placeholderData: before => before, retry: false })
  if (!data) return null
  if (!data.text.trim()) return <p className={`${textClasses.dim} ${classes.below}`}>No signature yet.</p>
  return <MailFrame html={data.html} title="Preview of the signature" className={classes.preview} />
}
