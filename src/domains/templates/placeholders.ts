import type { CustomField } from '#platform/custom-fields.ts'
import type { Lead } from '#domains/leads/contract.ts'
import type { Placeholder } from './contract.ts'

/** Placeholder values by name; absent ones are missing. */
export type Values = Readonly<Record<string, string>>

/** What a mail says besides the fields of its lead. */
export type Sender = {
  senderName?: string | null | undefined
  senderEmail?: string | null | undefined
  meetingLink?: string | null | undefined
  unsubscribeLink?: string | null | undefined
  icebreaker?: string | null | undefined
}

const fixed = {
  firstName: { label: 'First name', sample: 'Ada' },
  lastName: { label: 'Last name', sample: 'Lovelace' },
  fullName: { label: 'Full name', sample: 'Ada Lovelace' },
  email: { label: 'Email', sample: 'ada@example.com' },
  phone: { label: 'Phone', sample: '+442071234567' },
  company: { label: 'Company', sample: 'Analytical Engines' },
  title: { label: 'Title', sample: 'Head of Research' },
  website: { label: 'Website', sample: 'https://example.com' },
  timezone: { label: 'Time zone', sample: 'Europe/London' },
  source: { label: 'Source', sample: 'Website' },
  pipelineStage: { label: 'Pipeline stage', sample: 'Contacted' },
  status: { label: 'Status', sample: 'NEW' },
  senderName: { label: 'Sender’s name', sample: 'Charles Babbage' },
  senderEmail: { label: 'Sender’s address', sample: 'charles@example.com' },
  meetingLink: { label: 'Link to book a meeting', sample: 'https://example.com/meet' },
  unsubscribeLink: { label: 'Link to unsubscribe', sample: 'https://example.com/unsubscribe' },
  icebreaker: { label: 'Icebreaker', sample: 'Your notes on the engine were a joy to read.' },
} satisfies Record<string, { label: string; sample: string }>

type Fixed = keyof typeof fixed

/** Addresses of ours: in the text of a mail they can be clicked. */
const links: ReadonlySet<string> = new Set<Fixed>(['meetingLink', 'unsubscribeLink'])

export function isLink(name: string): boolean {
  return links.has(name)
}

/**
 * How every placeholder may be written, and the name its value goes by. A custom field is `custom.<key>`, and its key in
 * camelCase too where nothing else is called that.
 */
export function placeholderNames(customKeys: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>(Object.keys(fixed).map(name => [name, name]))
  const byShort = Map.groupBy(customKeys, camelCase)
  for (const [short, keys] of byShort)
    if (keys.length === 1 && !names.has(short)) names.set(short, `custom.${keys[0]}`)
  for (const key of customKeys) names.set(`custom.${key}`, `custom.${key}`)
  return names
}

export function listPlaceholders(fields: readonly CustomField[]): Placeholder[] {
  const own = fields.map(({ key, label, kind, options }) => ({
    name: `custom.${key}`,
    label,
    sample: options?.[0] ?? samples[kind],
  }))
  return [...Object.entries(fixed).map(([name, about]) => ({ name, ...about })), ...own]
}

export function sampleValues(fields: readonly CustomField[]): Values {
  return Object.fromEntries(listPlaceholders(fields).map(({ name, sample }) => [name, sample]))
}

export function leadValues(lead: Lead, sender: Sender = {}): Values {
  const values: Record<string, string> = {
    firstName: lead.first_name ?? '',
    lastName: lead.last_name ?? '',
    fullName: [lead.first_name, lead.last_name].filter(Boolean).join(' '),
    email: lead.email ?? '',
    phone: lead.phone ?? '',
    company: lead.company ?? '',
    title: lead.title ?? '',
    website: lead.website ?? '',
    timezone: lead.timezone ?? '',
    source: lead.source ?? '',
    pipelineStage: lead.pipeline_stage,
    status: lead.status,
    ...senderValues(sender),
  } satisfies Record<Fixed, string>
  for (const [key, value] of Object.entries(lead.custom)) values[`custom.${key}`] = said(value)
  return values
}

/** What can be said where it is about no lead. */
export function senderValues(sender: Sender): Record<keyof Sender, string> {
  return {
    senderName: sender.senderName ?? '',
    senderEmail: sender.senderEmail ?? '',
    meetingLink: sender.meetingLink ?? '',
    unsubscribeLink: sender.unsubscribeLink ?? '',
    icebreaker: sender.icebreaker ?? '',
  }
}

function said(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}

const samples: Record<CustomField['kind'], string> = {
  text: 'Text',
  number: '42',
  date: '2026-03-31',
  checkbox: 'yes',
  choice: 'Choice',
}

/** `plan_name` → `planName`. */
function camelCase(key: string): string {
  return key.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')
}
