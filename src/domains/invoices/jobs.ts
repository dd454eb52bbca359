import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { BANK_JOB, reportToBank } from './bank.ts'
import { REMINDER_JOB, remind } from './reminders.ts'
import { purgeInvoices } from './service.ts'

export const jobs: JobDefinition[] = [
  job(BANK_JOB, { outgoing: true }, reportToBank),
  job(REMINDER_JOB, {}, remind),
]

export const sweeps: Sweep[] = [{ name: 'trashed_invoices', run: purgeInvoices }]
