import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Account } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { Picker } from '../../ui/picker.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './account-picker.module.css'

const FOUND_MAX = 20
const QUIET_MS = 160
const NONE = 'none'

type Props = {
  chosen: string | null
  pick: (account: Account | null) => void
  close: () => void
  children: ReactNode
}

/** Any account of the team, found by typing. */
export function AccountPicker({ chosen, pick, close, children }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const { data } = useQuery({
    queryKey: [...cacheKeys.accounts, 'found', q],
    queryFn: ({ signal }) =>
      api('GET /api/crm/accounts', { query: { limit: FOUND_MAX, sort: 'name', ...(q && { q }) }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = data?.data ?? []
  const options = found.map(({ id, name, domain }) => ({
    value: id,
    label: name,
    node: (
      <span className={`${textClasses.cut} ${classes.option}`}>
        {name} {domain && <span className={textClasses.dim}>{domain}</span>}
      </span>
    ),
  }))
  return (
    <Picker
      label="Account"
      options={chosen ? [...options, { value: NONE, label: 'No account' }] : options}
      chosen={chosen ? [chosen] : []}
      pick={value => pick(found.find(({ id }) => id === value) ?? null)}
      close={close}
      search={setText}
      width={280}
    >
      {children}
    </Picker>
  )
}
