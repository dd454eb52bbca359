import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconBuilding from 'icon:building'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Account } from '#domains/accounts/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { accountSettingsQuery, useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { Avatar } from '../../ui/person.tsx'
import type { ListColumn, RecordKind } from '../../ui/record-list/list.ts'
import { RecordList } from '../../ui/record-list/record-list.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useOptions } from '../../records/leads/choices.tsx'
import type { Field } from '../../records/leads/fields.ts'
import { usePeople } from '../../records/leads/people.ts'
import { fieldColumns } from '../../records/leads/field-columns.tsx'
import type { People } from '../../records/leads/plain-value.ts'
import { accountList } from '../../records/accounts/cache.ts'
import { accountFields, accountValue } from '../../records/accounts/fields.ts'
import { accountsSearch, accountsShape } from '../../records/accounts/search.ts'
import { fieldFiltersOf } from '../../records/filters/field-filters-of.tsx'
import { accounts } from '../../records/accounts/store.ts'

const NewAccount = lazy(() =>
  import('../../records/accounts/new-account.tsx').then(({ NewAccount }) => ({ default: NewAccount })),
)

const route = getRouteApi('/accounts')
const fieldFilters = fieldFiltersOf('accounts')
const defaults = ['name', 'domain', 'industry', 'owner_id', 'phone', 'created_at']

export function AccountsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => accountsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('accounts:write')
  const [making, setMaking] = useState(false)
  const kind = useAccountKind(canWrite)
  const make = () => setMaking(true)
  useCommands(
    canWrite
      ? [{ id: 'new-account', group: 'Create', label: 'New account', words: 'add company', run: make }]
      : [],
  )
  return (
    <>
      <RecordList
        kind={kind}
        search={search}
        show={(next, replace = false) => void navigate({ to: paths.accounts, search: next, replace })}
        source={accountList}
        action={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={make}>
              New account
            </Button>
          )
        }
        none={
          <Empty
            icon={<IconBuilding size={32} stroke={1.4} />}
            title="No accounts yet"
            action={canWrite && <Button onClick={make}>Create the first account</Button>}
          >
            An account is a company, with its leads, deals and projects in one place.
          </Empty>
        }
      />
      {making && (
        <Suspense fallback={null}>
          <NewAccount close={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  )
}

function useAccountKind(canWrite: boolean): RecordKind<Account> {
  const navigate = useNavigate()
  const people = usePeople()
  const options = useOptions()
  const settings = useQuery(accountSettingsQuery).data
  return useMemo((): RecordKind<Account> => {
    const fields = accountFields(settings)
    const owner = fields.find(({ key }) => key === 'owner_id')!
    return {
      kind: 'accounts',
      title: 'Accounts',
      one: 'account',
      many: 'accounts',
      shape: accountsShape,
      columns: columnsOf(fields, people, options, canWrite),
      defaults,
      fieldFilters,
      filters: [
        { kind: 'choice', name: 'owner_id', label: 'Owner', options: options(owner) ?? [] },
        { kind: 'words', name: 'industry', label: 'Industry' },
      ],
      nameOf: ({ name }) => name,
      href: ({ id }) => paths.account(id),
      open: ({ id }) => void navigate({ to: patterns.account, params: { id } }),
      card: account => {
        const member = account.owner_id && people.get(account.owner_id)
        return {
          beside: <Time at={account.created_at} />,
          about: [account.domain, account.industry].filter(Boolean).join(' · ') || account.phone,
          mark: member && <Avatar name={member.name || member.email} id={member.id} />,
        }
      },
      exportPath: '/api/crm/accounts/export',
      restore: canWrite ? ({ id }) => void accounts.restore(id) : undefined,
    }
  }, [settings, people, options, navigate, canWrite])
}

function columnsOf(
  fields: Field[],
  people: People,
  options: ReturnType<typeof useOptions>,
  canWrite: boolean,
): ListColumn<Account>[] {
  const columns = fieldColumns<Account>({
    fields,
    people,
    options,
    valueOf: accountValue,
    nameOf: ({ name }) => name,
    change: canWrite ? ({ id }, values, say) => void accounts.change(id, values, say) : undefined,
  })
  const told = { width: 130, look: 'dim', falling: true } as const
  return [
    ...columns.map(column => (column.key === 'name' ? { ...column, sort: 'name' } : column)),
    {
      ...told,
      key: 'created_at',
      label: 'Created',
      sort: 'created_at',
      show: ({ created_at }) => <Time at={created_at} />,
    },
    {
      ...told,
      key: 'updated_at',
      label: 'Updated',
      sort: 'updated_at',
      show: ({ updated_at }) => <Time at={updated_at} />,
    },
  ]
}
