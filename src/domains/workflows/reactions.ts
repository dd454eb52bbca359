import { automationOn, type Reaction } from '#platform/registry.ts'
import { reactions as sending } from './nodes/sending.ts'
import { startOn } from './start-runs.ts'
import { heardEvents } from './triggers.ts'

export const reactions: Reaction[] = [
  ...heardEvents.map(type => automationOn(type, 'workflows.start', startOn)),
  ...sending,
]
