import { on } from '#platform/registry.ts'
import { leadNoted } from './contract.ts'
import { touchLead } from './service.ts'

export const reactions = [
  on(leadNoted, 'leads.touch', (ctx, event) => touchLead(ctx, event.subject_id, event.at)),
]
