import type { ProjectStatus } from './search.ts'

export const projectStatusWords: Record<ProjectStatus, string> = {
  ACTIVE: 'Active',
  ON_HOLD: 'On hold',
  DONE: 'Done',
}
