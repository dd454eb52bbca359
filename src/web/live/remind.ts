import type { LiveChange } from '#domains/live/contract.ts'
import { toastWithAction } from '../ui/toast.ts'

/** Shows a reminder to its user, on any page. */
export function remind(change: LiveChange, userId: string, open: (taskId: string) => void): void {
  if (change.type !== 'task.reminded' || change.data.assignee_id !== userId) return
  toastWithAction(`Reminder: ${String(change.data.title)}`, 'Open', () => open(change.subject.id))
}
