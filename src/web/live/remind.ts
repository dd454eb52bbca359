import type { LiveChange } from '#domains/live/contract.ts'
import { toastWithAction } from '../ui/toast.ts'

/** A reminder reaches its person on whatever page they are; for everybody else it is none. */
export function remind(change: LiveChange, userId: string, open: (taskId: string) => void): void {
  if (change.type !== 'task.reminded' || change.data.assignee_id !== userId) return
  toastWithAction(`Reminder: ${String(change.data.title)}`, 'Open', () => open(change.subject.id))
}
