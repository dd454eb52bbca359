import type { Lead } from '#domains/leads/contract.ts'
import { inPlainWords } from '../../ui/words.ts'
import { leadName } from '../../records/leads/fields.ts'
import { leads } from '../../records/leads/store.ts'

export function moveToStage(lead: Lead, stage: string): void {
  void leads.change(lead.id, { pipeline_stage: stage }, `Moved ${leadName(lead)} to ${inPlainWords(stage)}`)
}
