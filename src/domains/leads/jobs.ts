import type { Sweep } from '#platform/registry.ts'
import { purgeTrash } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_leads', run: purgeTrash }]
