import type { Lead } from '#domains/leads/contract.ts'
import { inPlainWords } from '../../ui/words.ts'
import { leadName } from '../../records/leads/fields.ts'
import { setFields } from '../../records/leads/writes.ts'

export function moveToStage(lead: Lead, stage: string): void {
  void setFields(lead.id, { pipeline_stage: stage }, `${leadName(lead)} is now in ${inPlainWords(stage)}`)
}
