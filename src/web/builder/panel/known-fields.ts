import type { Catalog } from '#domains/workflows/contract.ts'
import type { Trigger } from '../catalog.ts'

export type KnownField = { field: string; label: string; type: string; options?: string[] | undefined }

/** Everything that a condition or a text can name, as it is written there. */
export function namedFields(trigger: Trigger, catalog: Catalog): { group: string; fields: KnownField[] }[] {
  return [
    { group: 'From the event', fields: trigger.fields },
    {
      group: 'From the lead',
      fields: catalog.lead_fields.map(known => ({ ...known, field: `lead.${known.field}` })),
    },
  ]
}

/** What is known of a field by its name: a bare one is the event's or, where it has none of that name, the lead's. */
export function fieldCalled(name: string, trigger: Trigger, catalog: Catalog): KnownField | undefined {
  const bare = name.replace(/^(?:event|lead)\./, '')
  const ofEvent = trigger.fields.find(({ field }) => field === bare)
  const ofLead = catalog.lead_fields.find(({ field }) => field === bare)
  if (name.startsWith('event.')) return ofEvent
  return name.startsWith('lead.') ? ofLead : (ofEvent ?? ofLead)
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/
const orders = ['>', '>=', '<', '<=']

/** What somebody typed, as the value it stands for; what is no number yet stays as it is typed. */
export function typedValue(text: string, type: string | undefined, op?: string): string | number {
  const isNumber = type === 'number' || (type === undefined && op !== undefined && orders.includes(op))
  return isNumber && NUMBER.test(text.trim()) ? Number(text) : text
}
