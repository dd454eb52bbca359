import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconTrash from 'icon:trash'
import type { Account } from '#domains/accounts/contract.ts'
import { paths } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { accountSettingsQuery, useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { ValueRow } from '../../records/leads/value-row.tsx'
import { InvoicePanel } from '../../records/invoices/invoice-panel.tsx'
import { DealPanel } from '../../records/opportunities/deal-panel.tsx'
import { ConversationsPanel } from '../../conversation/conversations-panel.tsx'
import { AccountLeads } from './account-leads.tsx'
import { AccountInTrash, NoSuchAccount } from './account-missing.tsx'
import { AccountProjects } from './account-projects.tsx'
import { accountFields, accountValue } from '../../records/accounts/fields.ts'
import classes from '../../ui/panel-columns.module.css'
import fieldClasses from '../../ui/value-rows.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import { accounts } from '../../records/accounts/store.ts'

const route = getRouteApi('/accounts/$id')

export function AccountPage() {
  const { id } = route.useParams()
  const query = useQuery({ ...accounts.query(id), placeholderData: () => accounts.known(id) })
  const account = query.data
  useTitle(account?.name ?? 'Account')
  if (isProblem(query.error, 404))
    return query.error.code === 'in_trash' ? <AccountInTrash id={id} /> : <NoSuchAccount />
  if (account?.deleted_at) return <AccountInTrash id={id} />
  if (query.error && !account) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!account) return <Waiting />
  return <Shown key={account.id} account={account} />
}

function Shown({ account }: { account: Account }) {
  const navigate = useNavigate()
  const canWrite = useCan('accounts:write')
  const back = () => void navigate({ to: paths.accounts })
  const trash = () => void accounts.trash(account).then(done => done && back())
  useKeys({ u: back })
  useCommands(
    canWrite
      ? [
          {
            id: 'trash',
            group: 'This page',
            label: 'Move this account to the trash',
            words: 'delete remove',
            run: trash,
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        record
        title={account.name}
        beside={
          <span className={`${textClasses.dim} ${textClasses.cut} ${classes.beside}`}>{account.domain}</span>
        }
        actions={
          canWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconTrash size={16} />}
                onClick={trash}
                visibleFrom="sm"
              >
                Move to trash
              </Button>
              <ActionIcon variant="default" aria-label="Move to trash" onClick={trash} hiddenFrom="sm">
                <IconTrash size={16} />
              </ActionIcon>
            </>
          )
        }
      />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.bar}>
          <LinkButton
            to={paths.accounts}
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowLeft size={16} />}
          >
            Accounts
          </LinkButton>
        </div>
        <div className={classes.columns}>
          <Fields account={account} canWrite={canWrite} />
          <div className={classes.panels}>
            <AccountLeads account={account} />
            <ConversationsPanel of={{ account_id: account.id }} account_id={account.id} />
            <DealPanel of={{ account_id: account.id }} />
            <InvoicePanel of={{ account_id: account.id }} preset={{ account_id: account.id }} />
            <AccountProjects id={account.id} />
          </div>
        </div>
      </div>
    </>
  )
}

/** All fields of the account, edited in place. */
function Fields({ account, canWrite }: { account: Account; canWrite: boolean }) {
  const fields = accountFields(useQuery(accountSettingsQuery).data)
  const groups = [
    ['Account', fields.filter(({ group }) => group !== 'custom')],
    ['Custom fields', fields.filter(({ group }) => group === 'custom')],
  ] as const
  return (
    <section className={fieldClasses.panel} aria-label="Fields">
      {groups.map(
        ([title, own]) =>
          own.length > 0 && (
            <div key={title} className={fieldClasses.group}>
              <h2 className={fieldClasses.title}>{title}</h2>
              {own.map(field => (
                <ValueRow
                  key={field.key}
                  field={field}
                  value={accountValue(account, field.key)}
                  canWrite={canWrite}
                  change={value =>
                    void accounts.change(
                      account.id,
                      { [field.key]: value },
                      `Changed ${field.label.toLowerCase()} of ${account.name}`,
                    )
                  }
                />
              ))}
            </div>
          ),
      )}
      <p className={textClasses.meta}>
        Created <Time at={account.created_at} />, changed <Time at={account.updated_at} />
      </p>
    </section>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Account" />
      <div className={pageClasses.scroll} aria-busy role="status" aria-label="Loading account">
        <div className={pageClasses.bar} />
        <div className={classes.columns}>
          <div className={fieldClasses.panel}>
            {Array.from({ length: 8 }, (_, row) => (
              <div key={row} className={fieldClasses.row}>
                <Bar width={70} />
                <Bar width={`${40 + ((row * 17) % 40)}%`} />
              </div>
            ))}
          </div>
          <div className={classes.panels}>
            <Bar width="100%" height={120} />
            <Bar width="100%" height={120} />
          </div>
        </div>
      </div>
    </>
  )
}
