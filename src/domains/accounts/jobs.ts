import type { Sweep } from '#platform/registry.ts'
import { purgeAccounts } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_accounts', run: purgeAccounts }]
