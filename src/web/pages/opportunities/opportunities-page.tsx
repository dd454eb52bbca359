import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconCoin from 'icon:coin'
import IconLayoutKanban from 'icon:layout-kanban'
import IconPlus from 'icon:plus'
import { useMemo } from 'react'
import type { Opportunity, OpportunityChange } from '#domains/opportunities/contract.ts'
import type { OpportunityStage } from '#domains/opportunities/values.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan, useIsAtLeast, useMembers } from '../../queries.ts'
import { AMOUNT_WORDS, parseAmount } from '../../ui/amount.ts'
import { money } from '../../ui/money.ts'
import type { Option } from '../../ui/picker.tsx'
import { choiceCell, textCell } from '../../ui/record-list/cell-editors.tsx'
import { Person } from '../../ui/person.tsx'
import type { ListColumn, RecordKind } from '../../ui/record-list/list.ts'
import { RecordList } from '../../ui/record-list/record-list.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { fieldFiltersOf } from '../../records/filters/field-filters-of.tsx'
import { Empty } from '../../ui/states.tsx'
import { dateInWords, Time } from '../../ui/time.tsx'
import { AccountLink, useAccountName } from '../../records/accounts/account-link.tsx'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { NOBODY } from '../../records/leads/choices.tsx'
import { usePeople } from '../../records/leads/people.ts'
import type { People } from '../../records/leads/plain-value.ts'
import { DealStage, stageOptions } from '../../records/opportunities/deal-stage.tsx'
import { opportunityList } from '../../records/opportunities/list-cache.ts'
import { openNewOpportunity } from '../../records/opportunities/open-new-opportunity.ts'
import { opportunitiesSearch, opportunitiesShape } from '../../records/opportunities/search.ts'
import { SumsLine } from './sums-line.tsx'
import { opportunities } from '../../records/opportunities/store.ts'
import { setStage } from '../../records/opportunities/store.ts'

const route = getRouteApi('/opportunities')
const defaults = ['name', 'lead_id', 'account_id', 'amount', 'stage', 'close_date', 'owner_id']

const closing = [
  [{ before: '-1d' }, 'before today'],
  [{ after: '0d', before: '7d' }, 'in the next 7 days'],
  [{ after: '0d', before: '30d' }, 'in the next 30 days'],
  [{ after: '0d', before: '90d' }, 'in the next 90 days'],
] as const

export function OpportunitiesPage() {
  const raw = route.useSearch()
  const search = useMemo(() => opportunitiesSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const kind = useOpportunityKind(canWrite, search)
  return (
    <RecordList
      kind={kind}
      search={search}
      show={(next, replace = false) => void navigate({ to: paths.opportunities, search: next, replace })}
      source={opportunityList}
      summary={!search.trashed && <SumsLine search={search} />}
      action={
        canWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => openNewOpportunity()}>
            New opportunity
          </Button>
        )
      }
      more={[
        {
          label: 'View as board',
          icon: <IconLayoutKanban size={16} />,
          run: () => void navigate({ to: paths.pipeline, search: { of: 'opportunities' } }),
        },
      ]}
      none={
        <Empty
          icon={<IconCoin size={32} stroke={1.4} />}
          title="No opportunities yet"
          action={
            canWrite && <Button onClick={() => openNewOpportunity()}>Create the first opportunity</Button>
          }
        >
          An opportunity is a potential deal, with its amount, close date and stage.
        </Empty>
      }
    />
  )
}

const fieldFilters = fieldFiltersOf('opportunities')

function useOpportunityKind(canWrite: boolean, search: ListSearch): RecordKind<Opportunity> {
  const navigate = useNavigate()
  const people = usePeople()
  const members = useMembers()
  const isAdmin = useIsAtLeast('ADMIN')
  const lead = useLeadName(only(search.lead_id))
  const account = useAccountName(only(search.account_id))
  return useMemo((): RecordKind<Opportunity> => {
    const owners = [
      ...members.map(member => ({
        value: member.id,
        label: member.name || member.email,
        node: <Person member={member} />,
      })),
      { value: NOBODY, label: 'Unassigned' },
    ]
    return {
      kind: 'opportunities',
      title: 'Opportunities',
      one: 'opportunity',
      many: 'opportunities',
      shape: opportunitiesShape,
      columns: canWrite ? withEditors(columnsOf(people), owners, isAdmin) : columnsOf(people),
      defaults,
      fieldFilters,
      filters: [
        { kind: 'choice', name: 'stage', label: 'Stage', options: stageOptions },
        { kind: 'choice', name: 'owner_id', label: 'Owner', options: owners },
        {
          kind: 'span',
          name: 'close',
          label: 'Closes',
          after: 'close_after',
          before: 'close_before',
          spans: closing,
        },
        { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? 'chosen' },
        { kind: 'record', name: 'account_id', label: 'Account', nameOf: () => account ?? 'chosen' },
        { kind: 'words', name: 'currency', label: 'Currency' },
      ],
      nameOf: ({ name }) => name,
      href: ({ id }) => paths.opportunity(id),
      open: ({ id }) => void navigate({ to: patterns.opportunity, params: { id } }),
      card: ({ amount, currency, close_date, stage }) => ({
        beside: amount && money(amount, currency),
        about: close_date ? `Closes ${dateInWords(close_date)}` : 'No close date',
        mark: <DealStage stage={stage} />,
      }),
      exportPath: '/api/crm/opportunities/export',
      restore: canWrite ? ({ id }) => void opportunities.restore(id) : undefined,
    }
  }, [people, members, lead, account, navigate, canWrite, isAdmin])
}

function columnsOf(people: People): ListColumn<Opportunity>[] {
  const told = { width: 130, look: 'dim', falling: true } as const
  return [
    {
      key: 'name',
      label: 'Name',
      width: 220,
      sort: 'name',
      show: ({ name }) => name,
      title: ({ name }) => name,
    },
    {
      key: 'lead_id',
      label: 'Lead',
      width: 150,
      show: ({ lead_id }) => lead_id && <LeadLink id={lead_id} tabIndex={-1} />,
    },
    {
      key: 'account_id',
      label: 'Account',
      width: 150,
      show: ({ account_id }) => account_id && <AccountLink id={account_id} tabIndex={-1} />,
    },
    {
      key: 'amount',
      label: 'Amount',
      width: 115,
      sort: 'amount',
      falling: true,
      look: 'number',
      show: ({ amount, currency }) => amount && <span>{money(amount, currency)}</span>,
      title: ({ amount, currency }) => (amount ? money(amount, currency) : undefined),
    },
    { key: 'stage', label: 'Stage', width: 140, show: ({ stage }) => <DealStage stage={stage} /> },
    {
      key: 'close_date',
      label: 'Close date',
      width: 115,
      sort: 'close_date',
      show: ({ close_date }) => close_date && <span>{dateInWords(close_date)}</span>,
    },
    {
      key: 'owner_id',
      label: 'Owner',
      width: 150,
      show: ({ owner_id }) => {
        const member = owner_id && people.get(owner_id)
        return member ? <Person member={member} /> : owner_id && <span>Former member</span>
      },
    },
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
    {
      ...told,
      key: 'closed_at',
      label: 'Closed',
      show: ({ closed_at }) => closed_at && <Time at={closed_at} />,
    },
  ]
}

/** The columns with an editor where the value can be changed in place. */
function withEditors(
  columns: ListColumn<Opportunity>[],
  owners: Option[],
  isAdmin: boolean,
): ListColumn<Opportunity>[] {
  const change = (deal: Opportunity, what: OpportunityChange, label: string) =>
    void opportunities.change(deal.id, what, `Changed the ${label} of ${deal.name}`)
  const editors: Record<string, (column: ListColumn<Opportunity>) => Partial<ListColumn<Opportunity>>> = {
    name: () => ({
      edit: textCell({
        text: ({ name }) => name,
        parse: text => (text.trim() ? { value: text.trim() } : { fault: 'Name cannot be empty' }),
        save: (deal, name) => change(deal, { name }, 'name'),
      }),
    }),
    amount: () => ({
      edit: textCell({
        text: ({ amount }) => amount ?? '',
        inputMode: 'decimal',
        parse: text => {
          const value = parseAmount(text)
          return value === undefined ? { fault: AMOUNT_WORDS } : { value }
        },
        save: (deal, amount) => change(deal, { amount }, 'amount'),
      }),
      clear: deal => deal.amount && change(deal, { amount: null }, 'amount'),
    }),
    stage: ({ show }) => ({
      edit: choiceCell({
        options: stageOptions,
        chosen: ({ stage }) => String(stage),
        pick: (deal, stage) => void setStage(deal, stage as OpportunityStage, isAdmin),
        show,
      }),
    }),
    close_date: () => ({
      edit: textCell({
        text: ({ close_date }) => close_date ?? '',
        type: 'date',
        parse: text => ({ value: text || null }),
        save: (deal, close_date) => change(deal, { close_date }, 'close date'),
      }),
      clear: deal => deal.close_date && change(deal, { close_date: null }, 'close date'),
    }),
    owner_id: ({ show }) => ({
      edit: choiceCell({
        options: owners,
        chosen: ({ owner_id }) => owner_id ?? NOBODY,
        pick: (deal, value) => change(deal, { owner_id: value === NOBODY ? null : value }, 'owner'),
        show,
      }),
    }),
  }
  return columns.map(column => ({ ...column, ...editors[column.key]?.(column) }))
}

function only(ids: unknown): string | null {
  return Array.isArray(ids) && ids.length === 1 ? String(ids[0]) : null
}
