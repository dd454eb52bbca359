import type { Import } from '#domains/imports/contract.ts'

export const steps = ['map', 'check', 'options', 'progress', 'report'] as const
export type Step = (typeof steps)[number]

export const stepNames: Record<Step, string> = {
  map: 'Columns',
  check: 'Check',
  options: 'Duplicates and options',
  progress: 'Progress',
  report: 'Report',
}

export type ImportSearch = { step?: Step }

export function importSearch(raw: Record<string, unknown>): ImportSearch {
  const step = steps.find(name => name === raw.step)
  return step ? { step } : {}
}

/** Before the start, the URL decides the step; afterwards, the status of the import. */
export function stepOf({ status }: Pick<Import, 'status'>, { step = 'map' }: ImportSearch): Step {
  if (status === 'RUNNING') return 'progress'
  if (status === 'DONE' || status === 'CANCELLED' || status === 'FAILED') return 'report'
  return step === 'progress' || step === 'report' ? 'options' : step
}
