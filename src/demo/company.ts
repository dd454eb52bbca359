import type { CustomField } from '#domains/leads/contract.ts'
import type { NoteKind } from './notes.ts'

/** Brightwater plans the day of technicians: who drives where, and what is done when the plan breaks. */
export const TEAM_NAME = 'Brightwater'

export const segments = ['Small', 'Mid-size', 'Enterprise']

export const customFields: CustomField[] = [
  { key: 'segment', label: 'Segment', kind: 'choice', options: segments },
  { key: 'seats', label: 'Technicians', kind: 'number' },
  { key: 'current_tool', label: 'Uses today', kind: 'text' },
  { key: 'renewal_date', label: 'Contract renewal', kind: 'date' },
  { key: 'pilot', label: 'Pilot agreed', kind: 'checkbox' },
]

/** What they plan with today; none of these exists. */
export const tools = ['Rundlauf 9', 'Planarium', 'Tourenblatt', 'Jobwheel']

type Origin = { source: string; utm?: Record<string, string>; note: NoteKind }

/** Lead sources; one that is listed twice is twice as likely. */
export const origins: readonly Origin[] = [
  { source: 'Website form', note: 'web', utm: { source: 'google', medium: 'organic' } },
  {
    source: 'Website form',
    note: 'web',
    utm: { source: 'newsletter', medium: 'email', campaign: 'dispatch-checklist' },
  },
  { source: 'Website form', note: 'web' },
  {
    source: 'Google Ads',
    note: 'web',
    utm: { source: 'google', medium: 'cpc', campaign: 'field-service-scheduling' },
  },
  {
    source: 'Google Ads',
    note: 'web',
    utm: { source: 'google', medium: 'cpc', campaign: 'whiteboard-to-app' },
  },
  {
    source: 'LinkedIn',
    note: 'web',
    utm: { source: 'linkedin', medium: 'social', campaign: 'head-of-service' },
  },
  {
    source: 'Webinar',
    note: 'webinar',
    utm: { source: 'webinar', medium: 'event', campaign: 'planning-at-five' },
  },
  { source: 'Trade fair', note: 'fair' },
  { source: 'Trade fair', note: 'fair' },
  { source: 'Referral', note: 'referral' },
  { source: 'Partner', note: 'referral' },
  { source: 'Cold outreach', note: 'outreach' },
]
