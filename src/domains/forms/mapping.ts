import { withoutNulls, type Custom } from '#platform/custom-fields.ts'
import type { Fault } from '#platform/problem.ts'
import { schemaCheck } from '#platform/schema-check.ts'
import { cellReader } from '#domains/imports/cells.ts'
import { NewLead, type Lead, type LeadSettings } from '#domains/leads/contract.ts'
import { faultsIn } from '#domains/leads/model.ts'
import type { Answers, Form } from './contract.ts'
import { mappedFields, own, type Mapping } from './model.ts'

/** The fields of a lead that answers fill in, and what it could not take of them. */
export type Mapped = { input: NewLead; notes: Fault[] }

/** The same schema as the API's: nothing comes in by a form that would be refused there. */
const faultsOf = schemaCheck(NewLead)

/** Value by value: one that the lead cannot take does not keep the others out. */
export function mapAnswers(content: Mapping, values: Answers, settings: LeadSettings): Mapped {
  const rules = { ...settings, owners: new Map<string, string>() }
  const mapped: { input: NewLead & { custom: Custom }; notes: Fault[] } = { input: { custom: {} }, notes: [] }
  for (const { key, target } of mappedFields(content)) {
    const text = textOf(own(values, key))
    if (text === '' || isTaken(mapped.input, target)) continue
    const reading = cellReader(target, rules)(text)
    if ('wrong' in reading) {
      mapped.notes.push({ path: key, message: reading.wrong })
      continue
    }
    const part = partOf(target, reading.value)
    const [fault] = [...faultsOf(part), ...faultsIn(part, settings)]
    if (fault) mapped.notes.push({ path: key, message: fault.message })
    else mapped.input = { ...mapped.input, ...part, custom: { ...mapped.input.custom, ...part.custom } }
  }
  return mapped
}

/** What changes in a lead that is known already; what it has stays where only gaps are to be filled. */
export function mergedLead(lead: Lead, { input }: Mapped, policy: Form['on_existing']): Lead {
  const { custom = {}, ...plain } = input
  const isOpen = (value: unknown) =>
    policy === 'overwrite' || value === null || value === undefined || value === ''
  // The same address in other letters is no news.
  const isKnown = (name: string, value: unknown) =>
    name === 'email' && lead.email?.toLowerCase() === String(value).toLowerCase()
  const fields = Object.entries(plain).filter(
    ([name, value]) => isOpen(lead[name as keyof Lead]) && !isKnown(name, value),
  )
  const added = Object.entries(custom).filter(([key]) => isOpen(own(lead.custom, key)))
  return {
    ...lead,
    ...Object.fromEntries(fields),
    custom: withoutNulls({ ...lead.custom, ...Object.fromEntries(added) }),
  }
}

function partOf(target: string, value: string | number | boolean): NewLead {
  return target.startsWith('custom.') ? { custom: { [target.slice(7)]: value } } : { [target]: value }
}

function isTaken(input: NewLead & { custom: Custom }, target: string): boolean {
  return target.startsWith('custom.')
    ? Object.hasOwn(input.custom, target.slice(7))
    : Object.hasOwn(input, target)
}

/** As a cell of a file would say it, so that both are read alike. */
function textOf(answer: Answers[string] | undefined): string {
  if (answer === undefined) return ''
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no'
  return Array.isArray(answer) ? answer.join(', ') : String(answer)
}
