import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { agents } from '../../records/agents/store.ts'

/** A call only has the ID of its agent; the name is loaded once and cached. */
export function useAgentName(id: string | null): string | undefined {
  const { data, isError } = useQuery({ ...agents.query(id ?? ''), enabled: id !== null, retry: false })
  return data?.name ?? (isError ? 'Agent in the trash' : undefined)
}

export function AgentLink({ id }: { id: string }) {
  const name = useAgentName(id)
  return (
    <Link to={patterns.agent} params={{ id }} title={name}>
      {name ?? '…'}
    </Link>
  )
}
