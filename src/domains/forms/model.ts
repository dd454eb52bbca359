import type { CustomField } from '#platform/custom-fields.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Form, FormContent, FormField, NewForm } from './contract.ts'

/** What a visitor sees, and what becomes of the answers: it changes for visitors when it is published. */
export const contentKeys = [
  'title',
  'description',
  'fields',
  'steps',
  'submit_label',
  'thank_you',
  'redirect_url',
  'field_mapping',
] as const satisfies (keyof FormContent)[]

/** Whatever is not said is what most forms want: a name, an address and a message, and a lead made of them. */
export function newForm(input: NewForm, made: { id: string; at: string }): Form {
  const { slug = '', fields = firstFields, published: _, ...given } = input
  return {
    id: made.id,
    slug,
    title: input.name,
    description: null,
    fields,
    steps: [],
    submit_label: 'Send',
    thank_you: 'Thank you. We have received your message.',
    redirect_url: null,
    field_mapping: input.fields ? {} : firstMapping,
    webhook_url: null,
    auto_reply: null,
    notify: [],
    allowed_domains: [],
    on_existing: 'fill_empty',
    ...given,
    published: false,
    version: 0,
    draft_changed: true,
    published_at: null,
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

export function contentOf(form: FormContent): FormContent {
  return Object.fromEntries(contentKeys.map(key => [key, form[key]])) as FormContent
}

/** `customFields` are the team's own; absent where the mapping is as it was: one that is gone since then is no fault now. */
export function checkContent(content: FormContent, customFields?: readonly CustomField[]): void {
  const faults = [
    ...content.fields.flatMap((field, at) => faultsInField(field, at, content)),
    ...faultsInMapping(content, customFields),
    ...faultsInRedirect(content),
  ]
  if (faults.length > 0) throw invalid(faults)
}

export function isVisible({ type }: FormField): boolean {
  return type !== 'hidden'
}

/** The fields of each step; one step where the form has none. */
export function stepsOf({ fields, steps }: Pick<FormContent, 'fields' | 'steps'>): FormField[][] {
  const count = Math.max(1, steps.length)
  return Array.from({ length: count }, (_, step) => fields.filter(field => (field.step ?? 0) === step))
}

/** What is asked, and which answer fills which field of a lead. */
export type Mapping = {
  fields: readonly { key: string }[]
  field_mapping: Readonly<Record<string, string>>
}

/** Where an answer goes, in the order of the fields: of two for the same place the first that is given counts. */
export function mappedFields({ fields, field_mapping }: Mapping): { key: string; target: string }[] {
  return fields.flatMap(({ key }) => {
    const target = own(field_mapping, key)
    return target === undefined ? [] : [{ key, target }]
  })
}

/** A field may be called like something that every object has. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Whether both say the same: the order of names is no difference, since the database keeps its own. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}

const firstFields: FormField[] = [
  { key: 'first_name', type: 'text', label: 'First name', required: true },
  { key: 'last_name', type: 'text', label: 'Last name' },
  { key: 'email', type: 'email', label: 'Email', required: true },
  { key: 'message', type: 'long_text', label: 'Message' },
]
const firstMapping: FormContent['field_mapping'] = {
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
}

function faultsInField(field: FormField, at: number, { fields, steps }: FormContent): Fault[] {
  const faults: Fault[] = []
  const fault = (name: string, message: string) => faults.push({ path: `fields[${at}].${name}`, message })
  const { key, type, options = [], default_value, step = 0 } = field
  if (fields.findIndex(other => other.key === key) < at) fault('key', 'is a duplicate')
  const chooses = type === 'choice' || type === 'choices'
  if (chooses && options.length === 0) fault('options', 'needs at least one option')
  else if (chooses && default_value && !options.includes(default_value))
    fault('default_value', 'must be one of the options')
  if (step >= Math.max(1, steps.length)) fault('step', 'is not a step of this form')
  return faults
}

export function faultsInMapping(
  { fields, field_mapping }: Mapping,
  custom?: readonly CustomField[],
  unknown = 'is not a field of this form',
): Fault[] {
  return Object.entries(field_mapping).flatMap(([key, target]) => {
    const path = `field_mapping.${key}`
    if (!fields.some(field => field.key === key)) return [{ path, message: unknown }]
    if (!custom || !target.startsWith('custom.')) return []
    const known = custom.some(field => `custom.${field.key}` === target)
    return known ? [] : [{ path, message: `${target} is not a custom field of this team` }]
  })
}

/** What begins like an address need not be one. */
function faultsInRedirect({ redirect_url }: FormContent): Fault[] {
  if (!redirect_url || URL.canParse(redirect_url)) return []
  return [{ path: 'redirect_url', message: 'must be an http or https URL' }]
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, ordered(item)])
}
