import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { purgeProjects } from './projects.ts'
import { OVERDUE_JOB, purgeTasks, remind, REMIND_JOB, notifyOverdue } from './tasks.ts'

export const jobs: JobDefinition[] = [job(OVERDUE_JOB, {}, notifyOverdue), job(REMIND_JOB, {}, remind)]

export const sweeps: Sweep[] = [
  { name: 'trashed_projects', run: purgeProjects },
  { name: 'trashed_tasks', run: purgeTasks },
]
