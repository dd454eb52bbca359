import type { FormContent, FormField } from '#domains/forms/contract.ts'
import { typeWords } from './field-kinds.ts'

/** What changes for visitors, in words; empty if nothing does. */
export function differencesOf(
  before: FormContent,
  after: FormContent,
  targetName: (target: string) => string,
): string[] {
  return [
    ...textDifferences(before, after),
    ...fieldDifferences(before, after),
    ...orderDifferences(before, after),
    ...mappingDifferences(before, after, targetName),
  ]
}

const texts = [
  ['title', 'Title'],
  ['description', 'Description'],
  ['submit_label', 'Button'],
  ['thank_you', 'Thank-you text'],
  ['redirect_url', 'Redirect URL'],
] as const

function textDifferences(before: FormContent, after: FormContent): string[] {
  return texts
    .filter(([key]) => (before[key] ?? '') !== (after[key] ?? ''))
    .map(([key, name]) => {
      if (!after[key]) return `${name} removed`
      return `${name} is now “${shortly(after[key])}”`
    })
}

function fieldDifferences(before: FormContent, after: FormContent): string[] {
  const [old, now] = [byKey(before), byKey(after)]
  const gone = before.fields.filter(({ key }) => !now.has(key)).map(({ label }) => `Removed “${label}”`)
  const come = after.fields.filter(({ key }) => !old.has(key)).map(({ label }) => `Added “${label}”`)
  const changed = after.fields.flatMap(field => {
    const known = old.get(field.key)
    return known ? changesOf(known, field) : []
  })
  return [...come, ...gone, ...changed]
}

function changesOf(before: FormField, after: FormField): string[] {
  const said: string[] = []
  const name = `“${after.label}”`
  if (before.label !== after.label) said.push(`“${before.label}” renamed to ${name}`)
  if (before.type !== after.type) said.push(`Type of ${name} changed to ${typeWords[after.type].name}`)
  if (Boolean(before.required) !== Boolean(after.required))
    said.push(after.required ? `${name} is now required` : `${name} is now optional`)
  if (isOther(before.options, after.options)) said.push(`Options of ${name} changed`)
  const others = [
    ['help', 'Help text'],
    ['placeholder', 'Placeholder'],
    ['default_value', 'Default'],
    ['prefill', 'Prefill'],
  ] as const
  for (const [key, word] of others)
    if ((before[key] || null) !== (after[key] || null)) said.push(`${word} of ${name} changed`)
  return said
}

function orderDifferences(before: FormContent, after: FormContent): string[] {
  const said: string[] = []
  const [old, now] = [byKey(before), byKey(after)]
  if (isOther(before.steps, after.steps))
    said.push(
      after.steps.length ? `Steps are now ${after.steps.join(', ')}` : 'All fields are now on one page',
    )
  const was = before.fields.filter(({ key }) => now.has(key))
  const is = after.fields.filter(({ key }) => old.has(key))
  const isReordered = was.some(({ key }, at) => key !== is[at]?.key)
  const isElsewhere = is.some(({ key, step = 0 }) => step !== (old.get(key)?.step ?? 0))
  if (isReordered) said.push('Field order changed')
  else if (isElsewhere) said.push('Fields moved to other steps')
  return said
}

function mappingDifferences(
  before: FormContent,
  after: FormContent,
  targetName: (target: string) => string,
): string[] {
  return after.fields
    .filter(({ key }) => before.field_mapping[key] !== after.field_mapping[key])
    .map(({ key, label }) => {
      const target = after.field_mapping[key]
      return target
        ? `“${label}” is now mapped to ${targetName(target)}`
        : `“${label}” is no longer mapped to a lead field`
    })
}

function byKey({ fields }: FormContent): Map<string, FormField> {
  return new Map(fields.map(field => [field.key, field]))
}

function isOther(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? []) !== JSON.stringify(after ?? [])
}

const WORDS_LENGTH_MAX = 60

function shortly(text: string): string {
  return text.length > WORDS_LENGTH_MAX ? `${text.slice(0, WORDS_LENGTH_MAX).trimEnd()}…` : text
}
