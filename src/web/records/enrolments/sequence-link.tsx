import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { sequences } from '../sequences/store.ts'

/** An enrolment has only the ID of its sequence; the name is loaded once and cached. */
export function useSequenceName(id: string | null): string | undefined {
  const { data, isError } = useQuery({ ...sequences.query(id ?? ''), enabled: id !== null, retry: false })
  return data?.name ?? (isError ? 'Sequence in the trash' : undefined)
}

export function SequenceLink({ id }: { id: string }) {
  const name = useSequenceName(id)
  return (
    <Link to={patterns.sequence} params={{ id }} search={{}} title={name}>
      {name ?? '…'}
    </Link>
  )
}
