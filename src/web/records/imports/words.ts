import { importFields, type duplicatePolicies, type ImportStatus } from '#domains/imports/values.ts'
import type { Import, Preview } from '#domains/imports/contract.ts'
import type { CustomField } from '#domains/leads/contract.ts'
import { count, plural } from '../../ui/words.ts'

export const statusWords: Record<ImportStatus, { word: string; tone: string }> = {
  UPLOADING: { word: 'Uploading', tone: 'slate' },
  READY: { word: 'Not started', tone: 'amber' },
  RUNNING: { word: 'Running', tone: 'blue' },
  DONE: { word: 'Done', tone: 'green' },
  CANCELLED: { word: 'Cancelled', tone: 'slate' },
  FAILED: { word: 'Failed', tone: 'red' },
}

type Policy = (typeof duplicatePolicies)[number]

export const policyWords: Record<Policy, { label: string; about: string }> = {
  skip: { label: 'Skip the row', about: 'The existing lead stays as it is.' },
  update: {
    label: 'Update the lead',
    about: 'Values in the row replace those of the lead. Empty cells change nothing.',
  },
  create: { label: 'Create another lead', about: 'This can create duplicates.' },
}

const fieldWords: Record<(typeof importFields)[number], string> = {
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  company: 'Company',
  title: 'Job title',
  website: 'Website',
  timezone: 'Time zone',
  owner: 'Owner (by email)',
  status: 'Status',
  pipeline_stage: 'Stage',
  source: 'Source',
}

/** The fields a column can be mapped to. */
export function fieldChoices(custom: readonly CustomField[]): { value: string; label: string }[] {
  return [
    ...importFields.map(value => ({ value, label: fieldWords[value] })),
    ...custom.map(({ key, label }) => ({ value: `custom.${key}`, label })),
  ]
}

/** The label of the start button, and a note if the check found errors. */
export function startWords(
  total: number,
  preview: Pick<Preview, 'checked' | 'faulty'> | undefined,
): { button: string; note?: string } {
  if (!preview || preview.faulty === 0) return { button: `Import ${plural(total, 'row')}` }
  const { checked, faulty } = preview
  const verb = faulty === 1 ? 'has' : 'have'
  if (checked >= total) {
    return {
      button: `Import ${count(total - faulty)} of ${plural(total, 'row')}`,
      note: `${plural(faulty, 'row')} ${verb} errors and will not be imported.`,
    }
  }
  return {
    button: `Import up to ${plural(total - faulty, 'row')}`,
    note: `${count(faulty)} of the first ${plural(checked, 'row')} ${verb} errors and will not be imported. The others are checked during the import.`,
  }
}

/** "4,950 created, 50 with errors". */
export function outcome({ created, updated, skipped, failed }: Import): string {
  const parts = [
    created > 0 && `${count(created)} created`,
    updated > 0 && `${count(updated)} updated`,
    skipped > 0 && `${count(skipped)} skipped`,
    failed > 0 && `${count(failed)} with errors`,
  ]
  return parts.filter(Boolean).join(', ') || 'no rows imported'
}

const KIB = 1024

export function sizeInWords(bytes: number): string {
  if (bytes < KIB) return plural(bytes, 'byte')
  if (bytes < KIB * KIB) return `${count(Math.round(bytes / KIB))} KiB`
  return `${(bytes / KIB / KIB).toFixed(1).replace('.0', '')} MiB`
}
