import { Checkbox, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { DAILY_LIMIT_MAX } from '#domains/mailboxes/values.ts'
import { isProblem } from '../../problem.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { AgentChoice } from '../../records/agents/agent-select.tsx'
import { connectMailboxPath } from '../../records/mailboxes/connect-path.ts'
import { changeMailbox, readMailbox } from '../../records/mailboxes/mailbox-writes.ts'
import { mailboxKindNames } from '../../records/mailboxes/words.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { Visibility } from './mailbox-choices.tsx'
import { NewSenders } from './new-senders.tsx'
import {
  answerFaults,
  changesLogin,
  dailyLimitOf,
  loginFaults,
  loginPaths,
  mailboxChangeOf,
  mailboxFieldsOf,
  rebased,
  type Faults,
  type MailboxFields,
} from './mailbox-fields.ts'
import { MailboxLogin, TryingServers, useFirstFault } from './mailbox-login.tsx'
import textClasses from '../../ui/text.module.css'

const MailboxAnswerTimes = lazy(() =>
  import('./mailbox-answer-times.tsx').then(({ MailboxAnswerTimes }) => ({ default: MailboxAnswerTimes })),
)

const NAME_LENGTH_MAX = 200
const paths = [
  ...loginPaths,
  'first_answer_min',
  'next_answer_min',
  'timezone',
  'hours',
  'name',
  'daily_limit',
  'visibility',
  'is_default',
  'creates_leads',
  'agent_id',
  'agent_mode',
]

type Props = {
  mailbox: Mailbox
  /** Opened for a new password or another server. */
  forLogin: boolean
  close: () => void
}

/** A mailbox as its mails show it, who reads it, and how it is signed in to. */
export function EditMailbox({ mailbox, forLogin, close }: Props) {
  const [base, setBase] = useState(mailbox)
  const [fields, setFields] = useState(() => mailboxFieldsOf(mailbox))
  const [faults, setFaults] = useState<Faults>({})
  const [trying, setTrying] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const isAdmin = useIsAtLeast('ADMIN')
  const isOwn = mailbox.owner_id === useUser().id
  useFirstFault(form, faults)
  const set = (change: Partial<MailboxFields>) => {
    setFields({ ...fields, ...change })
    setFaults({})
  }

  async function save() {
    const wrong = {
      ...(base.kind === 'imap' && loginFaults(fields, false)),
      ...answerFaults(fields.answer),
      ...(dailyLimitOf(fields.daily_limit) === undefined && {
        daily_limit: `Enter a number from 1 to ${DAILY_LIMIT_MAX.toLocaleString('en')}, or nothing`,
      }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    const change = mailboxChangeOf(base, fields)
    if (change) {
      setTrying(changesLogin(change))
      const { address } = await changeMailbox(base.id, change, base.updated_at)
      toast(`Saved ${address}`)
    }
    close()
  }

  async function refused(error: unknown) {
    setTrying(false)
    if (!isProblem(error, 412)) return setFaults(faultsByField(error, paths))
    const theirs = await readMailbox(base.id)
    setFields(rebased(fields, base, theirs))
    // The next save builds on theirs.
    setBase(theirs)
    setFaults({ '': 'Someone else changed this mailbox. Save again to keep your changes.' })
  }

  return (
    <FormDialog
      title={`Edit ${mailbox.address}`}
      size={560}
      yOffset="6vh"
      verb="Save"
      act={save}
      refused={refused}
      fault={faults['']}
      close={close}
    >
      <Stack gap="md" ref={form}>
        <TextInput
          label="Sender name"
          placeholder="Name of the person who writes"
          description={`Recipients see it before ${mailbox.address}.`}
          value={fields.name}
          error={faults.name}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          {...(!forLogin && { 'data-autofocus': true })}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <TextInput
          label="Daily limit"
          placeholder="No limit"
          description="Emails a day. More wait for the next day."
          value={fields.daily_limit}
          error={faults.daily_limit}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ currentTarget }) => set({ daily_limit: currentTarget.value })}
        />
        {isOwn && <Visibility visibility={fields.visibility} set={visibility => set({ visibility })} />}
        {mailbox.owner_id === null && isAdmin && (
          <>
            <Checkbox
              label="Default for new conversations"
              description="Used unless the person who writes has a mailbox of their own."
              checked={fields.is_default}
              error={faults.is_default}
              onChange={({ currentTarget }) => set({ is_default: currentTarget.checked })}
            />
            <NewSenders creates={fields.creates_leads} set={creates_leads => set({ creates_leads })} />
            <AgentChoice
              agent_id={fields.agent_id}
              agent_mode={fields.agent_mode}
              set={set}
              fault={path => faults[path]}
            />
          </>
        )}
        <Suspense fallback={null}>
          <MailboxAnswerTimes answer={fields.answer} set={answer => set({ answer })} faults={faults} />
        </Suspense>
        {mailbox.kind === 'imap' ? (
          <MailboxLogin
            login={fields}
            set={set}
            faults={faults}
            address={mailbox.address}
            folded={!forLogin}
            focus={forLogin}
          />
        ) : (
          <p className={textClasses.dim}>
            {`Signed in by ${mailboxKindNames[mailbox.kind]}. `}
            <a href={connectMailboxPath(mailbox.kind, { mailbox_id: mailbox.id })}>Reconnect</a>
          </p>
        )}
        {trying && <TryingServers />}
      </Stack>
    </FormDialog>
  )
}
