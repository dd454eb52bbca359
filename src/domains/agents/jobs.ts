import type { Sweep } from '#platform/registry.ts'
import { purgeAgents } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_agents', run: purgeAgents }]
