import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { accounts } from './store.ts'

/** Records only hold the id of their account. The name is loaded once and cached. */
export function useAccountName(id: string | null): string | undefined {
  const canRead = useCan('accounts:read')
  const { data, isError } = useQuery({
    ...accounts.query(id ?? ''),
    enabled: canRead && id !== null,
    placeholderData: () => (id ? accounts.known(id) : undefined),
    retry: false,
  })
  return data?.name ?? (isError ? 'Account in the trash' : undefined)
}

export function AccountLink({ id, tabIndex }: { id: string; tabIndex?: number }) {
  const name = useAccountName(id)
  return (
    <Link to={patterns.account} params={{ id }} tabIndex={tabIndex} title={name}>
      {name ?? '…'}
    </Link>
  )
}
