import type { Lead } from '#domains/leads/contract.ts'
import { inPlainWords } from '../../ui/words.ts'
import { leadName } from '../leads/fields.ts'
import { setFields } from '../leads/writes.ts'

export function moveToStage(lead: Lead, stage: string): void {
  void setFields(lead.id, { pipeline_stage: stage }, `${leadName(lead)} is now in ${inPlainWords(stage)}`)
}
