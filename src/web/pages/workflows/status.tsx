import type { WorkflowStatus } from '#domains/workflows/values.ts'
import { Dotted } from '../../ui/stage.tsx'
import { workflowWords } from '../../records/workflows/words.ts'

export function Status({ status }: { status: WorkflowStatus }) {
  const { tone, label } = workflowWords[status]
  return <Dotted tone={tone}>{label}</Dotted>
}
