import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { leadName } from './fields.ts'
import { leads } from './store.ts'

/** Records only hold the id of their lead. The name is loaded once and cached. */
export function useLeadName(id: string | null): string | undefined {
  const { data, isError } = useQuery({
    ...leads.query(id ?? ''),
    enabled: id !== null,
    placeholderData: () => (id ? leads.known(id) : undefined),
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
