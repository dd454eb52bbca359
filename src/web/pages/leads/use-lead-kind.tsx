import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAccountName } from '../../records/accounts/account-link.tsx'
import { fieldFiltersOf } from '../../records/filters/field-filters-of.tsx'
import { useFields, useOptions } from '../../records/leads/choices.tsx'
import { fieldColumns } from '../../records/leads/field-columns.tsx'
import { defaultColumns, leadName, valueOf, type Field } from '../../records/leads/fields.ts'
import { usePeople } from '../../records/leads/people.ts'
import { leadsShape } from '../../records/leads/search.ts'
import { leads } from '../../records/leads/store.ts'
import { searchText } from '../../search-text.ts'
import type { Option } from '../../ui/picker.tsx'
import { Avatar } from '../../ui/person.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import type { ListColumn, RecordKind } from '../../ui/record-list/list.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { Stage } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { NameEditor } from './name-editor.tsx'

const recent = [
  [{ after: '-0d' }, 'today'],
  [{ after: '-7d' }, 'in the last 7 days'],
  [{ after: '-30d' }, 'in the last 30 days'],
  [{ after: '-90d' }, 'in the last 90 days'],
  [{ after: '-365d' }, 'in the last year'],
] as const

const fieldFilters = fieldFiltersOf('leads')

/** The list of leads: columns, filters and how a lead is opened. */
export function useLeadKind(search: ListSearch): RecordKind<Lead> {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const fields = useFields()
  const options = useOptions()
  const people = usePeople()
  const [accountId = null] = valuesOf(search, 'account_id')
  const account = useAccountName(accountId)
  return useMemo((): RecordKind<Lead> => {
    const stages = fields.find(({ key }) => key === 'pipeline_stage')?.options ?? []
    return {
      kind: 'leads',
      title: 'Leads',
      one: 'lead',
      many: 'leads',
      shape: leadsShape,
      columns: columnsOf(fields, options, people, canWrite),
      defaults: defaultColumns,
      fieldFilters,
      filters: filtersOf(fields, options, id => (id === accountId ? (account ?? '…') : 'another')),
      nameOf: leadName,
      href: ({ id }, row) => `${paths.lead(id)}?${searchText({ ...search, row })}`,
      open: ({ id }, row) =>
        void navigate({ to: patterns.lead, params: { id }, search: { ...search, row: String(row) } }),
      card: lead => {
        const owner = lead.owner_id && people.get(lead.owner_id)
        return {
          beside: lead.last_activity_at && <Time at={lead.last_activity_at} />,
          about: [lead.company, lead.email].filter(Boolean).join(' · ') || lead.phone,
          mark: (
            <>
              <Stage stage={lead.pipeline_stage} stages={stages} />
              {owner && <Avatar name={owner.name || owner.email} id={owner.id} />}
            </>
          ),
        }
      },
      exportPath: '/api/crm/leads/export',
      exportFields: key => (key === 'name' ? ['first_name', 'last_name'] : [key]),
      restore: canWrite ? ({ id }) => void leads.restore(id) : undefined,
    }
  }, [fields, options, people, canWrite, search, accountId, account, navigate])
}

type Options = (field: Field) => Option[] | undefined

function columnsOf(
  fields: Field[],
  options: Options,
  people: ReturnType<typeof usePeople>,
  canWrite: boolean,
): ListColumn<Lead>[] {
  const columns = fieldColumns<Lead>({
    fields,
    people,
    options,
    valueOf,
    nameOf: leadName,
    change: canWrite ? ({ id }, values, say) => void leads.change(id, values, say) : undefined,
  })
  return columns.map(column =>
    column.key === 'name' && column.edit
      ? { ...column, edit: (lead, cell) => <NameEditor lead={lead} cell={cell} /> }
      : column,
  )
}

function filtersOf(fields: Field[], options: Options, accountName: (id: string) => string): Filter[] {
  const choice = (name: string): Filter => {
    const field = fields.find(({ key }) => key === name)!
    return { kind: 'choice', name, label: field.label, options: options(field) ?? [] }
  }
  return [
    choice('pipeline_stage'),
    choice('status'),
    choice('owner_id'),
    { kind: 'record', name: 'account_id', label: 'Account', nameOf: accountName },
    choice('call_status'),
    { kind: 'words', name: 'source', label: 'Source' },
    { kind: 'words', name: 'company', label: 'Company' },
    {
      kind: 'span',
      name: 'created',
      label: 'Created',
      after: 'created_after',
      before: 'created_before',
      spans: recent,
    },
  ]
}
