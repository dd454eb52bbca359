import { candidateStatuses, type CandidateStatus } from '#domains/candidates/values.ts'
import type { Option } from '../../ui/picker.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { statusWords } from './words.ts'

export function Status({ status }: { status: CandidateStatus }) {
  const { tone, label } = statusWords[status]
  return <Dotted tone={tone}>{label}</Dotted>
}

export const statusOptions: Option[] = candidateStatuses.map(status => ({
  value: status,
  label: statusWords[status].label,
  node: <Status status={status} />,
}))
