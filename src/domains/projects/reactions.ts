import { on } from '#platform/registry.ts'
import { taskReminded } from './contract.ts'
import { mailReminder } from './reminder-mail.ts'

export const reactions = [on(taskReminded, 'tasks.mail_reminder', mailReminder)]
