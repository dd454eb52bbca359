import type { Sweep } from '#platform/registry.ts'
import { purgeOpportunities } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_opportunities', run: purgeOpportunities }]
