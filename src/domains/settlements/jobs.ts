import type { ScheduledJob } from '#platform/registry.ts'
import { watchSettlements } from './watch.ts'

export const scheduled: ScheduledJob[] = [{ name: 'settlements', cron: '* * * * *', run: watchSettlements }]
