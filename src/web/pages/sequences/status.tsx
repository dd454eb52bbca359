import type { SequenceStatus } from '#domains/sequences/values.ts'
import { Dotted } from '../../ui/stage.tsx'
import { sequenceWords } from '../../records/sequences/words.ts'

export function Status({ status }: { status: SequenceStatus }) {
  const { tone, label } = sequenceWords[status]
  return <Dotted tone={tone}>{label}</Dotted>
}
