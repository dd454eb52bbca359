import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../queries.ts'
import { leadName } from './leads/fields.ts'
import { leads } from './leads/store.ts'
import { accounts } from './accounts/store.ts'
import { opportunities } from './opportunities/store.ts'

const FOUND_MAX = 20
const QUIET_MS = 160

type Props = {
  value: string | null
  set: (id: string | null) => void
  label?: string
  error?: string | undefined
  readOnly?: boolean
  autoFocus?: boolean
}

/** Any lead of the team, or of an account, found by typing. */
export function LeadSelect({ label = 'Lead', account_id, ...props }: Props & { account_id?: string | null }) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const chosen = useQuery({ ...leads.query(props.value ?? ''), enabled: props.value !== null }).data
  const found = useQuery({
    queryKey: ['found', 'leads', q, account_id ?? ''],
    queryFn: ({ signal }) =>
      api('GET /api/crm/leads', {
        query: { limit: FOUND_MAX, ...(q && { q }), ...(account_id && { account_id: [account_id] }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: !props.readOnly,
  })
  const name = (lead: Parameters<typeof leadName>[0]) =>
    [leadName(lead), lead.company].filter(Boolean).join(' · ')
  const options = (found.data?.data ?? []).map(lead => ({ value: lead.id, label: name(lead) }))
  const own = chosen && { value: chosen.id, label: name(chosen) }
  return <Found {...props} {...{ label, own, options, text, setText }} looking={found.isLoading} />
}

/** Any account of the team, found by typing. */
export function AccountSelect({ label = 'Account', ...props }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const canRead = useCan('accounts:read')
  const chosen = useQuery({
    ...accounts.query(props.value ?? ''),
    enabled: canRead && props.value !== null,
  }).data
  const found = useQuery({
    queryKey: ['found', 'accounts', q],
    queryFn: ({ signal }) =>
      api('GET /api/crm/accounts', { query: { limit: FOUND_MAX, sort: 'name', ...(q && { q }) }, signal }),
    placeholderData: keepPreviousData,
    enabled: canRead && !props.readOnly,
  })
  const options = (found.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const own = chosen && { value: chosen.id, label: chosen.name }
  return <Found {...props} {...{ label, own, options, text, setText }} looking={found.isLoading} />
}

/** Any opportunity of the team, found by typing. */
export function OpportunitySelect({ label = 'Opportunity', ...props }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const chosen = useQuery({ ...opportunities.query(props.value ?? ''), enabled: props.value !== null }).data
  const found = useQuery({
    queryKey: ['found', 'opportunities', q],
    queryFn: ({ signal }) =>
      api('GET /api/crm/opportunities', { query: { limit: FOUND_MAX, ...(q && { q }) }, signal }),
    placeholderData: keepPreviousData,
    enabled: !props.readOnly,
  })
  const options = (found.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const own = chosen && { value: chosen.id, label: chosen.name }
  return <Found {...props} {...{ label, own, options, text, setText }} looking={found.isLoading} />
}

type Choice = { value: string; label: string }
type FoundProps = Props & {
  label: string
  own: Choice | undefined
  options: Choice[]
  text: string
  setText: (text: string) => void
  /** The first search is running. Without permission there is nothing to wait for. */
  looking: boolean
}

/** The server has already filtered, so all results are shown, always including the chosen one. */
function Found(props: FoundProps) {
  const { own, options, text, setText, looking, value, set, label, error, readOnly, autoFocus } = props
  const others = options.filter(option => option.value !== value)
  return (
    <Select
      label={label}
      placeholder="Type to search"
      data={own ? [own, ...others] : others}
      value={own ? value : null}
      onChange={set}
      error={error}
      readOnly={readOnly}
      data-autofocus={autoFocus || undefined}
      searchable
      clearable={!readOnly}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={looking ? 'Searching…' : 'No matches'}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}
