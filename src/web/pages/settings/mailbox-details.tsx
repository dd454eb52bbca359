import { ActionIcon, Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconArrowLeft from 'icon:arrow-left'
import IconDots from 'icon:dots'
import IconPencil from 'icon:pencil'
import IconRefresh from 'icon:refresh'
import IconUnlink from 'icon:unlink'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import { paths } from '../../paths.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { connectMailboxPath } from '../../records/mailboxes/connect-path.ts'
import { checkMailbox } from '../../records/mailboxes/mailbox-writes.ts'
import { mailboxSendingQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { mailboxKindNames } from '../../records/mailboxes/words.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { Check } from './mailbox-check.tsx'
import { MailboxDomain } from './mailbox-domain.tsx'
import { MailboxSignature } from './mailbox-signature.tsx'
import textClasses from '../../ui/text.module.css'
import { About, Sign } from './mailbox-row.tsx'
import classes from './mailbox-settings.module.css'

/** Above it, providers begin to take a sender for a spammer. */
const BOUNCES_MAX = 0.05
/** Fewer say nothing. */
const ENOUGH_EMAILS = 20
const SENT_EVERY_MS = 60_000

type Props = {
  mailbox: Mailbox
  /** `forLogin`: for a new password or another server. */
  edit: (forLogin: boolean) => void
  disconnect: () => void
}

/** A mailbox: what it sends, whether it works, and what its owner or an admin can do about it. */
export function MailboxDetails({ mailbox, edit, disconnect }: Props) {
  const { id, address } = mailbox
  const canChange = useCanChange(mailbox)
  const { busy, submit: check } = useSubmit(async () => {
    const { health } = await checkMailbox(id)
    if (health.state !== 'FAILING') toast(`${address} is working`)
  }, `Couldn't check ${address}`)
  const part = { mailbox, canChange, edit }
  return (
    <section className={classes.details} aria-label={address}>
      <LinkButton
        variant="subtle"
        color="gray"
        to={paths.mailboxes}
        search={{}}
        leftSection={<IconArrowLeft size={16} />}
        className={classes.back}
      >
        Mailboxes
      </LinkButton>
      <header className={classes.head}>
        <Sign mailbox={mailbox} />
        <div className={classes.words}>
          <h2 className={classes.name}>{address}</h2>
          <About mailbox={mailbox} />
        </div>
        {canChange && (
          <ButtonMenu
            button={
              <ActionIcon aria-label={`More actions for ${address}`} disabled={busy}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            }
            items={[
              { label: 'Edit', icon: <IconPencil size={16} />, run: () => edit(false) },
              { label: 'Check now', icon: <IconRefresh size={16} />, run: check },
              'divider',
              { label: 'Disconnect…', icon: <IconUnlink size={16} />, run: disconnect, danger: true },
            ]}
          />
        )}
      </header>
      <Figures mailbox={mailbox} busy={busy} />
      <h3 className={classes.part}>Health</h3>
      <ul className={classes.facts}>
        <Connection {...part} busy={busy} check={check} />
        <MailboxDomain id={id} canChange={canChange} />
        <Bounces {...part} />
      </ul>
      <h3 className={classes.part}>Sending</h3>
      <dl className={classes.facts}>
        <Fact {...part} label="Sender name" value={mailbox.name ?? 'Name of the person who writes'} />
        <Fact {...part} label="Daily limit" value={limitInWords(mailbox.daily_limit)} />
        {mailbox.owner_id === null && (
          <Fact
            {...part}
            label="New senders become leads"
            value={mailbox.creates_leads ? 'Always' : 'Never'}
          />
        )}
        <Fact
          {...part}
          label="Answer times"
          value={hasOwnTargets(mailbox) ? 'Of its own' : 'As for the team'}
        />
      </dl>
      <MailboxSignature key={id} mailbox={mailbox} canChange={canChange} />
    </section>
  )
}

export function useCanChange({ owner_id }: Mailbox): boolean {
  const isAdmin = useIsAtLeast('ADMIN')
  const isMember = useIsAtLeast('MEMBER')
  const isOwn = owner_id === useUser().id
  return isAdmin || (isMember && isOwn)
}

function useSent(id: string) {
  return useQuery({ ...mailboxSendingQuery(id), refetchInterval: SENT_EVERY_MS }).data
}

function Figures({ mailbox: { id, daily_limit, health }, busy }: { mailbox: Mailbox; busy: boolean }) {
  const sent = useSent(id)
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Sent today</dt>
        <dd>
          <b>{sent ? sent.sent_today.toLocaleString('en') : '–'}</b>
          {daily_limit !== null && ` of ${daily_limit.toLocaleString('en')}`}
        </dd>
      </div>
      <div>
        <dt>Bounce rate, 30 days</dt>
        <dd>
          <b>{sent && sent.sent_30_days > 0 ? percent(sent) : '–'}</b>
        </dd>
      </div>
      <div>
        <dt>Last checked</dt>
        <dd>
          {busy ? (
            <span role="status" className={classes.checking}>
              <Loader size={14} />
              Checking
            </span>
          ) : health.checked_at ? (
            <b>
              <Time at={health.checked_at} />
            </b>
          ) : (
            <b>Not yet</b>
          )}
        </dd>
      </div>
    </dl>
  )
}

type PartProps = { mailbox: Mailbox; canChange: boolean; edit: (forLogin: boolean) => void }

/** Whether both servers do what they should, and what to do if not. */
function Connection({
  mailbox,
  canChange,
  edit,
  busy,
  check,
}: PartProps & { busy: boolean; check: () => void }) {
  const { id, address, kind, owner_id, health } = mailbox
  if (health.state !== 'FAILING')
    return health.state === 'NEW' ? (
      <Check tone="none" title="Sending and receiving">
        First reading
      </Check>
    ) : (
      <Check tone="ok" title="Sending and receiving">
        Working
      </Check>
    )
  return (
    <Check
      tone="bad"
      title={health.note ?? 'It does not respond.'}
      fix={
        canChange ? (
          <>
            {kind === 'imap' ? (
              <Button
                variant="default"
                onClick={() => edit(true)}
                aria-label={`Change sign-in of ${address}`}
              >
                Change sign-in
              </Button>
            ) : (
              <Button component="a" variant="default" href={connectMailboxPath(kind, { mailbox_id: id })}>
                {`Reconnect with ${mailboxKindNames[kind]}`}
              </Button>
            )}
            <Button variant="default" loading={busy} onClick={check} aria-label={`Check now: ${address}`}>
              Check now
            </Button>
          </>
        ) : (
          <span className={textClasses.dim}>
            {owner_id === null ? 'Ask an admin to reconnect it.' : 'Ask its owner to reconnect it.'}
          </span>
        )
      }
    >
      {health.failing_since && (
        <>
          Stopped <Time at={health.failing_since} />.{' '}
        </>
      )}
      {kind === 'imap'
        ? 'If its password or servers have changed, enter the new ones. Otherwise it is tried again automatically.'
        : `Sign in at ${mailboxKindNames[kind]} again. It continues where it stopped.`}
    </Check>
  )
}

function Bounces({ mailbox: { id } }: PartProps) {
  const sent = useSent(id)
  if (!sent) return null
  const emails = `${sent.sent_30_days.toLocaleString('en')} ${sent.sent_30_days === 1 ? 'email' : 'emails'}`
  if (sent.sent_30_days < ENOUGH_EMAILS)
    return (
      <Check tone="none" title="Bounces">
        {`${emails} in 30 days, too few to tell`}
      </Check>
    )
  if (sent.bounced_30_days / sent.sent_30_days <= BOUNCES_MAX)
    return (
      <Check tone="ok" title="Bounces">
        {`${percent(sent)} of ${emails} in 30 days`}
      </Check>
    )
  return (
    <Check
      tone="warn"
      title="Too many emails bounce"
      fix={
        <LinkButton variant="subtle" to={paths.suppressions} search={{}}>
          Suppression list
        </LinkButton>
      }
    >
      {`${percent(sent)} of ${emails} in 30 days. Some providers send your mail to spam because of it: write to addresses that exist.`}
    </Check>
  )
}

function Fact({ label, value, canChange, edit }: PartProps & { label: string; value: string }) {
  return (
    <div className={classes.fact}>
      <dt className={textClasses.dim}>{label}</dt>
      <dd>
        <span>{value}</span>
        {canChange && (
          <Button variant="subtle" size="compact-sm" onClick={() => edit(false)} aria-label={`Edit ${label}`}>
            Edit
          </Button>
        )}
      </dd>
    </div>
  )
}

function limitInWords(limit: number | null): string {
  if (limit === null) return 'No limit'
  return limit === 1 ? '1 email' : `${limit.toLocaleString('en')} emails`
}

function hasOwnTargets({ first_answer_min, next_answer_min, timezone, hours }: Mailbox): boolean {
  return [first_answer_min, next_answer_min, timezone, hours].some(value => value !== null)
}

function percent({
  sent_30_days,
  bounced_30_days,
}: {
  sent_30_days: number
  bounced_30_days: number
}): string {
  const share = Math.min(1, bounced_30_days / sent_30_days)
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share)
}
