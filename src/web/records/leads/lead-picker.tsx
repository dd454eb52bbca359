import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { Picker } from '../../ui/picker.tsx'
import { leadName } from './fields.ts'

const FOUND_MAX = 20
const QUIET_MS = 160

type Props = {
  label: string
  pick: (lead: Lead) => void
  close: () => void
  footer?: ReactNode
  children: ReactNode
}

/** Any lead of the team, found by typing. */
export function LeadPicker({ label, pick, close, footer, children }: Props) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const { data } = useQuery({
    queryKey: ['leads', 'found', q],
    queryFn: ({ signal }) =>
      api('GET /api/crm/leads', { query: { limit: FOUND_MAX, ...(q && { q }) }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = data?.data ?? []
  return (
    <Picker
      label={label}
      options={found.map(lead => ({
        value: lead.id,
        label: [leadName(lead), lead.company].filter(Boolean).join(' · '),
      }))}
      chosen={[]}
      pick={value => {
        const lead = found.find(({ id }) => id === value)
        if (lead) pick(lead)
      }}
      close={close}
      search={setText}
      footer={footer}
      width={290}
    >
      {children}
    </Picker>
  )
}
