import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { knownLead, leadQuery } from './cache.ts'
import { leadName } from './fields.ts'

/** A record knows its lead by id alone; the name is asked for once and kept. */
export function useLeadName(id: string | null): string | undefined {
  const { data, isError } = useQuery({
    ...leadQuery(id ?? ''),
    enabled: id !== null,
    placeholderData: () => (id ? knownLead(id) : undefined),
    retry: false,
  })
  return data ? leadName(data) : isError ? 'Lead in the trash' : undefined
}

export function LeadLink({ id, tabIndex }: { id: string; tabIndex?: number }) {
  const name = useLeadName(id)
  return (
    <Link to={patterns.lead} params={{ id }} search={{}} tabIndex={tabIndex} title={name}>
      {name ?? '…'}
    </Link>
  )
}
