import { job, type JobDefinition } from '#platform/registry.ts'
import { calendarJobs } from './calendar-sync.ts'
import { remind, REMIND_JOB } from './reminders.ts'

export const jobs: JobDefinition[] = [job(REMIND_JOB, {}, remind), ...calendarJobs]
