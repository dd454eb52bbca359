import { opportunityStages } from '#domains/opportunities/values.ts'
import type { Option } from '../../ui/picker.tsx'
import { Dotted, stageTone } from '../../ui/stage.tsx'

const named = opportunityStages.map(stageName)

/** `closed_won` → "Closed won". */
export function stageName(stage: string): string {
  const words = stage.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function DealStage({ stage }: { stage: string }) {
  const name = stageName(stage)
  return <Dotted tone={stageTone(name, named)}>{name}</Dotted>
}

export const stageOptions: Option[] = opportunityStages.map(stage => ({
  value: stage,
  label: stageName(stage),
  node: <DealStage stage={stage} />,
}))
