import { Button, Select, TextInput } from '@mantine/core'
import IconChevronDown from 'icon:chevron-down'
import { useEffect, useId, useState, type RefObject } from 'react'
import { HOST_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '#domains/mailboxes/values.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import {
  loginPaths,
  withSecurity,
  type Faults,
  type LoginFields,
  type Protocol,
  type Security,
} from './mailbox-fields.ts'
import textClasses from '../../ui/text.module.css'
import classes from './mailbox-settings.module.css'

const USERNAME_LENGTH_MAX = 254
const PORT_LENGTH_MAX = 5

const securities: { value: Security; label: string }[] = [
  { value: 'tls', label: 'SSL/TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
]

type Props = {
  login: LoginFields
  set: (change: Partial<LoginFields>) => void
  faults: Faults
  /** The username that is used if none is typed. */
  address: string
  /** Nothing is stored yet: a password is needed. */
  isNew?: boolean
  /** What is folded need not be looked at. */
  folded: boolean
  /** The password is the next thing to type. */
  focus?: boolean
}

/** Password, username and servers. They unfold on request, or if one of them has an error. */
export function MailboxLogin({ login, set, faults, address, isNew = false, folded, focus = false }: Props) {
  const [unfolded, setUnfolded] = useState(!folded)
  const foldId = useId()
  // Stays open while the error is being fixed.
  if (!unfolded && loginPaths.some(path => faults[path] && !(isNew && path === 'password'))) setUnfolded(true)
  const password = (
    <TextInput
      label={isNew ? 'Password' : 'New password'}
      type="password"
      description={isNew ? 'Stored encrypted.' : 'Empty: the password stays as it is.'}
      value={login.password}
      error={faults.password}
      maxLength={PASSWORD_LENGTH_MAX}
      autoComplete="new-password"
      {...(focus && { ref: takeFocus, 'data-autofocus': true })}
      onChange={({ currentTarget }) => set({ password: currentTarget.value })}
    />
  )
  return (
    <>
      {isNew && password}
      <div>
        <div className={classes.fold}>
          <Button
            variant="subtle"
            color="gray"
            aria-expanded={unfolded}
            aria-controls={foldId}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onClick={() => setUnfolded(!unfolded)}
          >
            {isNew ? 'Servers' : 'Password and servers'}
          </Button>
          {!unfolded && (
            <span className={`${textClasses.meta} ${textClasses.cut}`}>
              {[...new Set([login.imap.host, login.smtp.host])].join(', ')}
            </span>
          )}
        </div>
        <div id={foldId} hidden={!unfolded} className={classes.folded}>
          {unfolded && (
            <>
              {!isNew && password}
              <TextInput
                label="Username"
                placeholder={address}
                value={login.username}
                error={faults.username}
                maxLength={USERNAME_LENGTH_MAX}
                autoComplete="off"
                spellCheck={false}
                onChange={({ currentTarget }) => set({ username: currentTarget.value })}
              />
              <Server protocol="imap" name="IMAP" about="receives email" {...{ login, set, faults }} />
              <Server protocol="smtp" name="SMTP" about="sends email" {...{ login, set, faults }} />
            </>
          )}
        </div>
      </div>
    </>
  )
}

type ServerProps = Pick<Props, 'login' | 'set' | 'faults'> & {
  protocol: Protocol
  name: string
  about: string
}

function Server({ protocol, name, about, login, set, faults }: ServerProps) {
  const server = login[protocol]
  return (
    <fieldset className={classes.server}>
      <legend className={textClasses.hidden}>{`${name}, which ${about}`}</legend>
      <TextInput
        label={`${name} server`}
        value={server.host}
        error={faults[`${protocol}.host`] ?? faults[protocol]}
        maxLength={HOST_LENGTH_MAX}
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        onChange={({ currentTarget }) => set({ [protocol]: { ...server, host: currentTarget.value } })}
      />
      <TextInput
        label={`${name} port`}
        value={server.port}
        error={faults[`${protocol}.port`]}
        maxLength={PORT_LENGTH_MAX}
        inputMode="numeric"
        autoComplete="off"
        onChange={({ currentTarget }) => set({ [protocol]: { ...server, port: currentTarget.value } })}
      />
      <Select
        label={`${name} encryption`}
        data={securities}
        value={server.security}
        error={faults[`${protocol}.security`]}
        allowDeselect={false}
        onChange={value => set({ [protocol]: withSecurity(protocol, server, value as Security) })}
      />
    </fieldset>
  )
}

/** Tells that both servers are being tried, which can take a while. */
export function TryingServers() {
  return (
    <p role="status" className={textClasses.dim}>
      Signing in to both servers. This can take up to 20 seconds.
    </p>
  )
}

/** Moves the focus to the first field with an error. */
export function useFirstFault(form: RefObject<HTMLElement | null>, faults: Faults): void {
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, faults])
}
