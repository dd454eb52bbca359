import { automationOn, type Reaction } from '#platform/registry.ts'
import { reactions as sending } from './nodes/sending.ts'
import { startOn } from './start-runs.ts'
import { triggerEvents } from './triggers.ts'

export const reactions: Reaction[] = [
  ...triggerEvents.map(type => automationOn(type, 'workflows.start', startOn)),
  ...sending,
]
