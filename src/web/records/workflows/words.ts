import type { Catalog, Difference } from '#domains/workflows/contract.ts'
import type { RunStatus, WorkflowStatus } from '#domains/workflows/values.ts'
import { duration } from '../../ui/duration.ts'

type Words = { tone: string; label: string }

export const workflowWords: Record<WorkflowStatus, Words> = {
  DRAFT: { tone: 'slate', label: 'Draft' },
  ACTIVE: { tone: 'green', label: 'Active' },
  PAUSED: { tone: 'amber', label: 'Paused' },
}

export const runWords: Record<RunStatus, Words> = {
  RUNNING: { tone: 'blue', label: 'Running' },
  PAUSED: { tone: 'amber', label: 'Paused' },
  DONE: { tone: 'green', label: 'Done' },
  FAILED: { tone: 'red', label: 'Failed' },
  CANCELLED: { tone: 'slate', label: 'Cancelled' },
}

/** The label of a trigger in the catalog. */
export function triggerInWords(trigger: string, triggers: Catalog['triggers'] | undefined): string {
  return triggers?.find(({ name }) => name === trigger)?.label ?? trigger
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long a run took: some take less than a second, others weeks. */
export function tookInWords(ms: number): string {
  if (ms < HOUR_MS) return duration(ms)
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`
}

const VALUE_LENGTH_MAX = 80

/** A difference between two versions, with a line for each changed field. */
export function differenceInWords({ kind, what, fields }: Difference): { line: string; details: string[] } {
  if (kind === 'added') return { line: `Added ${what}`, details: [] }
  if (kind === 'removed') return { line: `Removed ${what}`, details: [] }
  if (kind === 'moved') return { line: `Moved ${what}`, details: [] }
  const details = fields.map(({ field, before, after }) => {
    const name = field.replaceAll('_', ' ')
    if (isNothing(before)) return `${name}: ${valueInWords(after)}`
    if (isNothing(after)) return `${name}: ${valueInWords(before)} removed`
    return `${name}: ${valueInWords(before)} → ${valueInWords(after)}`
  })
  return { line: `Changed ${what}`, details }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function valueInWords(value: unknown): string {
  if (isNothing(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? `“${value}”` : JSON.stringify(value)
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX - 1)}…` : text
}
