import { Link } from '@tanstack/react-router'
import type { CallInList } from '#domains/calls/contract.ts'
import { patterns } from '../../paths.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { numberOf } from '../../records/calls/words.ts'

type Named = Pick<CallInList, 'lead_id' | 'direction' | 'from' | 'to'>

/** The name of the lead, or else the number. */
export function useCallName(call: Named): string {
  const lead = useLeadName(call.lead_id)
  const number = numberOf(call)
  if (call.lead_id) return lead ?? number ?? '…'
  return number ?? 'Unknown number'
}

type LinkProps = { call: CallInList; className?: string | undefined }

/** A link to a call, named after the lead or number. */
export function CallLink({ call, className }: LinkProps) {
  const name = useCallName(call)
  return (
    <Link to={patterns.call} params={{ id: call.id }} {...(className && { className })} title={name}>
      {name}
    </Link>
  )
}
