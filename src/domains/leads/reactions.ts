import { on, type InboundRoute } from '#platform/registry.ts'
import { isId } from '#platform/ids.ts'
import { leadNoted } from './contract.ts'
import { touchLead } from './service.ts'
import { findTeamOfLead } from './store.ts'

export const reactions = [
  on(leadNoted, 'leads.touch', (ctx, event) => touchLead(ctx, event.subject_id, event.at)),
]

/** An event that names a lead is its team's. */
export const inboundRoutes: InboundRoute[] = [
  async (ctx, { data }) => (isId(data.leadId) ? findTeamOfLead(ctx, data.leadId) : undefined),
]
