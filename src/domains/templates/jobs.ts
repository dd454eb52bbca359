import type { Sweep } from '#platform/registry.ts'
import { purgeTemplates } from './service.ts'

export const sweeps: Sweep[] = [{ name: 'trashed_templates', run: purgeTemplates }]
