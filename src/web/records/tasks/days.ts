import type { Task } from '#domains/projects/contract.ts'

export const sections = ['Overdue', 'Today', 'Upcoming', 'Later', 'No date'] as const
export type SectionName = (typeof sections)[number]

export const dueChoices = ['today', 'tomorrow', 'next week'] as const
export type DueChoice = (typeof dueChoices)[number]

const UPCOMING_DAYS = 7
const LAST_MINUTE: [hours: number, minutes: number] = [23, 59]

/** Midnight in the person's time zone, `days` after the day of `now`. Handles days with a clock change. */
export function midnight(now: number, days = 0): Date {
  const date = new Date(now)
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() + days)
  return date
}

export function endOfDay(now: number): string {
  return midnight(now, 1).toISOString()
}

export function sectionOf({ due_at }: Pick<Task, 'due_at'>, now: number): SectionName {
  if (!due_at) return 'No date'
  const due = Date.parse(due_at)
  if (due < now) return 'Overdue'
  if (due < midnight(now, 1).getTime()) return 'Today'
  return due < midnight(now, UPCOMING_DAYS + 1).getTime() ? 'Upcoming' : 'Later'
}

/** A due day without a time ends at its last minute. A task with a time of day keeps it. */
export function dueOn(choice: DueChoice, now: number, keep?: string | null): string {
  const date = midnight(now, daysUntil(choice, now))
  const kept = keep ? new Date(keep) : undefined
  const [hours, minutes] = kept ? [kept.getHours(), kept.getMinutes()] : LAST_MINUTE
  date.setHours(hours, minutes)
  return date.toISOString()
}

export function isWholeDay(at: string): boolean {
  const date = new Date(at)
  return date.getHours() === LAST_MINUTE[0] && date.getMinutes() === LAST_MINUTE[1]
}

/** Next week starts on Monday. */
function daysUntil(choice: DueChoice, now: number): number {
  if (choice === 'today') return 0
  if (choice === 'tomorrow') return 1
  return 7 - ((new Date(now).getDay() + 6) % 7)
}
