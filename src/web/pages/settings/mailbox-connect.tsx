// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconInfoCircle from 'icon:info-circle'
import { useEffect, useRef, useState } from 'react'
import type { MailServers } from '#domains/mailboxes/contract.ts'
import { IMPORT_DAYS_DEFAULT, IMPORT_DAYS_MAX, type MailboxVisibility } from '#domains/mailboxes/values.ts'
import { useIsAtLeast } from '../../queries.ts'
import { connectMailboxPath } from '../../records/mailboxes/connect-path.ts'
import { connectMailbox } from '../../records/mailboxes/mailbox-writes.ts'
import { findMailServers, mailboxesQuery } from '../../records/mailboxes/mailboxes-cache.ts'
import { mailboxKindNames } from '../../records/mailboxes/words.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { Visibility } from './mailbox-choices.tsx'
import { NewSenders } from './new-senders.tsx'
import { emptyLogin, importDaysOf, loginFaults, loginPaths, serverOf, type Faults } from './mailbox-fields.ts'
import { MailboxLogin, TryingServers, useFirstFault } from './mailbox-login.tsx'
import noticeClasses from '../../ui/notice.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

const ADDRESS_LENGTH_MAX = 254
const paths = [...loginPaths, 'address', 'import_days']

type Props = {
  /** Whether a shared mailbox is suggested, to those who may connect one. */
  shared: boolean
  close: () => void
}

/** Asks for the address first: from it, the server often knows everything else. */
export function ConnectMailbox({ shared: suggested, close }: Props) {
  const isAdmin = useIsAtLeast('ADMIN')
  const known = useQuery(mailboxesQuery).data ?? []
  const [step, setStep] = useState<'address' | 'login'>('address')
  const [address, setAddress] = useState('')
  const [shared, setShared] = useState(suggested && isAdmin)
  const [found, setFound] = useState<{ address: string; servers: MailServers }>()
  const [login, setLogin] = useState(() => emptyLogin({ imap: null, smtp: null }))
  const [visibility, setVisibility] = useState<MailboxVisibility>('team')
  const [createsLeads, setCreatesLeads] = useState(false)
  const [days, setDays] = useState(String(IMPORT_DAYS_DEFAULT))
  const [faults, setFaults] = useState<Faults>({})
  const [trying, setTrying] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const isShown = useIsShown()
  useFirstFault(form, faults)
  const servers = found?.servers
  const provider = servers?.can_connect && servers.kind !== 'imap' ? servers.kind : undefined

  async function findServers() {
    const typed = address.trim()
    const isTaken = known.some(each => each.address.toLowerCase() === typed.toLowerCase())
    const wrong = !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)
      ? 'Enter an email address'
      : isTaken && 'This mailbox is already connected'
    setFaults(wrong ? { address: wrong } : {})
    if (wrong) return
    if (typed !== found?.address) {
      const servers = await findMailServers(typed)
      setFound({ address: typed, servers })
      setLogin({ ...emptyLogin(servers), password: login.password })
    }
    setStep('login')
  }

  async function connect() {
    if (!found) return
    const import_days = importDaysOf(days)
    const wrong = {
      ...(!provider && loginFaults(login, true)),
      ...(import_days === undefined && { import_days: `Enter a number from 0 to ${IMPORT_DAYS_MAX}` }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0 || import_days === undefined) return
    const asked = { address: found.address, import_days }
    if (provider) {
      const kind: Record<string, string | boolean> = shared
        ? { shared, creates_leads: createsLeads }
        : { visibility }
      location.assign(connectMailboxPath(provider, { ...asked, ...kind }))
      // The browser is leaving the page.
      return new Promise(() => {})
    }
    setTrying(true)
    const { address } = await connectMailbox({
      ...asked,
      shared,
      ...(login.username.trim() && { username: login.username.trim() }),
      password: login.password,
      imap: serverOf(login.imap),
      smtp: serverOf(login.smtp),
      ...(shared ? { creates_leads: createsLeads } : { visibility }),
    })
    toast(`Connected ${address}`)
    if (isShown.current) close()
  }

  function refused(error: unknown) {
    setTrying(false)
    if (!isShown.current) return toastFault(error, `Couldn't connect ${address.trim()}`)
    const faults = faultsByField(error, paths)
    if (faults.address) setStep('address')
    setFaults(faults)
  }

  if (step === 'address' || !found)
    return (
      <FormDialog
        title="Connect a mailbox"
        size={480}
        verb="Continue"
        act={findServers}
        refused={refused}
        fault={faults['']}
        close={close}
      >
        <Stack key="address" gap="md" ref={form}>
          <TextInput
            label="Email address"
            type="email"
            value={address}
            error={faults.address}
            maxLength={ADDRESS_LENGTH_MAX}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            onChange={({ currentTarget }) => {
              setAddress(currentTarget.value)
              setFaults({})
            }}
          />
          {isAdmin ? (
            <Radio.Group
              label="Who uses it"
              value={shared ? 'shared' : 'mine'}
              onChange={value => setShared(value === 'shared')}
            >
              <div className={classes.choices}>
                <Radio
                  size="xs"
                  value="shared"
                  label="The team"
                  description="A shared address, such as sales@. Everyone reads and answers what comes in."
                />
                <Radio size="xs" value="mine" label="Only me" description="Your own address." />
              </div>
            </Radio.Group>
          ) : (
            <p className={textClasses.dim}>This connects your own address. Admins connect shared ones.</p>
          )}
        </Stack>
      </FormDialog>
    )

  return (
    <FormDialog
      title={`Connect ${found.address}`}
      size={560}
      yOffset="6vh"
      verb={provider ? `Continue with ${mailboxKindNames[provider]}` : 'Connect'}
      beside={
        <Button variant="subtle" color="gray" onClick={() => setStep('address')}>
          Back
        </Button>
      }
      act={connect}
      refused={refused}
      fault={faults['']}
      close={close}
    >
      <Stack key="login" gap="md" ref={form}>
        {provider && (
          <p tabIndex={-1} ref={takeFocus} className={classes.lead}>
            {`Sign in at ${mailboxKindNames[provider]} and allow Rapport to read and send email. Your password stays with ${mailboxKindNames[provider]}.`}
          </p>
        )}
        {found.servers.help && (
          <div className={noticeClasses.box} data-tone="plain" role="note">
            <IconInfoCircle size={16} aria-hidden />
            <span>{found.servers.help}</span>
          </div>
        )}
        {!provider && (
          <MailboxLogin
            key={found.address}
            login={login}
            set={change => {
              setLogin({ ...login, ...change })
              setFaults({})
            }}
            faults={faults}
            address={found.address}
            isNew
            folded={found.servers.imap !== null && found.servers.smtp !== null}
            focus
          />
        )}
        {shared ? (
          <NewSenders creates={createsLeads} set={setCreatesLeads} />
        ) : (
          <Visibility visibility={visibility} set={setVisibility} />
        )}
        <TextInput
          label="Import earlier emails (days)"
          description="Only emails with leads you already have. 0 imports none."
          value={days}
          error={faults.import_days}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          onChange={({ currentTarget }) => {
            setDays(currentTarget.value)
            setFaults({})
          }}
        />
        {trying && <TryingServers />}
      </Stack>
    </FormDialog>
  )
}

/** Trying takes a while: the dialog may be closed meanwhile. */
function useIsShown() {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [])
  return isShown
}
