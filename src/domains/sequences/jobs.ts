import type { Sweep } from '#platform/registry.ts'
import { purgeSequences } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_sequences', run: purgeSequences }]
