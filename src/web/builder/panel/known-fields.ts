import type { Catalog } from '#domains/workflows/contract.ts'
import type { Trigger } from '../catalog.ts'

export type KnownField = { field: string; label: string; type: string; options?: string[] | undefined }

/** All fields that conditions and texts can use. */
export function namedFields(trigger: Trigger, catalog: Catalog): { group: string; fields: KnownField[] }[] {
  return [
    { group: 'Event', fields: trigger.fields },
    {
      group: 'Lead',
      fields: catalog.lead_fields.map(known => ({ ...known, field: `lead.${known.field}` })),
    },
  ]
}

/** The field of that name: without a prefix it is the event's, or else the lead's. */
export function fieldCalled(name: string, trigger: Trigger, catalog: Catalog): KnownField | undefined {
  const bare = name.replace(/^(?:event|lead)\./, '')
  const ofEvent = trigger.fields.find(({ field }) => field === bare)
  const ofLead = catalog.lead_fields.find(({ field }) => field === bare)
  if (name.startsWith('event.')) return ofEvent
  return name.startsWith('lead.') ? ofLead : (ofEvent ?? ofLead)
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/
const orders = ['>', '>=', '<', '<=']

/** Typed text as a value; text that is not a number yet stays text. */
export function typedValue(text: string, type: string | undefined, op?: string): string | number {
  const isNumber = type === 'number' || (type === undefined && op !== undefined && orders.includes(op))
  return isNumber && NUMBER.test(text.trim()) ? Number(text) : text
}
