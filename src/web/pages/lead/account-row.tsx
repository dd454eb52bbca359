import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPencil from 'icon:pencil'
import { useId, useRef, useState } from 'react'
import type { Account, AccountMatch } from '#domains/accounts/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys, useCan } from '../../queries.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { AccountPicker } from '../../records/accounts/account-picker.tsx'
import { leadName } from '../../records/leads/fields.ts'
import { domainOf, linkNewAccount } from './new-account-of.ts'
import classes from '../../ui/value-rows.module.css'
import textClasses from '../../ui/text.module.css'
import { leads } from '../../records/leads/store.ts'

type Props = { lead: Lead; canWrite: boolean }

/** The account of the lead. If it has none, the most likely one is suggested. */
export function AccountRow({ lead, canWrite }: Props) {
  const [choosing, setChoosing] = useState(false)
  const canRead = useCan('accounts:read')
  const labelId = useId()
  const button = useRef<HTMLButtonElement>(null)

  function stop() {
    setChoosing(false)
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }))
  }

  function pick(account: Account | null) {
    stop()
    if ((account?.id ?? null) !== lead.account_id) link(lead, account)
  }

  const target = (
    <div className={classes.account}>
      {lead.account_id ? (
        <>
          <span className={`${textClasses.cut} ${classes.accountName}`}>
            <AccountLink id={lead.account_id} />
          </span>
          {canWrite && (
            <ActionIcon ref={button} size="sm" aria-label="Change account" onClick={() => setChoosing(true)}>
              <IconPencil size={14} />
            </ActionIcon>
          )}
        </>
      ) : (
        <button
          ref={button}
          type="button"
          className={classes.value}
          aria-labelledby={`${labelId} ${labelId}-value`}
          disabled={!canWrite}
          onClick={() => setChoosing(true)}
        >
          <span id={`${labelId}-value`} className={classes.empty}>
            Empty
          </span>
        </button>
      )}
    </div>
  )
  if (!canRead) return null
  return (
    <>
      <div className={classes.row}>
        <span className={classes.label} id={labelId}>
          Account
        </span>
        {choosing ? (
          <AccountPicker chosen={lead.account_id} pick={pick} close={stop}>
            {target}
          </AccountPicker>
        ) : (
          target
        )}
      </div>
      {!lead.account_id && canWrite && <Proposal lead={lead} />}
    </>
  )
}

const reasons: Record<AccountMatch['matched_by'], string> = {
  email: 'same domain',
  website: 'same website',
  company: 'same name',
}

/** One click instead of a search: the matching account, or a new one for the lead's domain. */
function Proposal({ lead }: { lead: Lead }) {
  const canCreate = useCan('accounts:write')
  const { busy, submit } = useSubmit(() => linkNewAccount(lead))
  const { email, website, company } = lead
  const about = { ...(email && { email }), ...(website && { website }), ...(company && { company }) }
  const { data } = useQuery({
    queryKey: [...cacheKeys.accounts, 'match', about],
    queryFn: ({ signal }) => api('GET /api/crm/accounts/match', { query: about, signal }),
    enabled: Object.keys(about).length > 0,
  })
  const best = data?.data[0]
  const name = domainOf(lead) ?? company
  if (best) {
    return (
      <p className={classes.proposal}>
        <span>
          {best.account.name} ({reasons[best.matched_by]})
        </span>
        <Button
          size="xs"
          variant="default"
          aria-label={`Link to ${best.account.name}`}
          onClick={() => link(lead, best.account)}
        >
          Link
        </Button>
      </p>
    )
  }
  if (!data || !name || !canCreate) return null
  return (
    <p className={classes.proposal}>
      <Button
        size="xs"
        variant="default"
        loading={busy}
        title={`Create account ${name}`}
        className={classes.offer}
        onClick={submit}
      >
        <span>Create account {name}</span>
      </Button>
    </p>
  )
}

function link(lead: Lead, account: Account | null): void {
  const say = account
    ? `Linked ${leadName(lead)} to ${account.name}`
    : `Unlinked ${leadName(lead)} from its account`
  void leads.change(lead.id, { account_id: account?.id ?? null }, say)
}
