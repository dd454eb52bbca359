import type { TimelineEntry } from '#domains/leads/contract.ts'

/** An entry of the timeline, as far as its sentence needs it. */
export type Told = Pick<TimelineEntry, 'type' | 'subject' | 'data'> & Partial<Pick<TimelineEntry, 'cause'>>

/** What a lead's deals, tasks, projects and messages tell on its timeline: words, and the record they can lead to. */
export type RecordWords = {
  before: string
  /** The record's name, and where it is. */
  record?: { kind: Kind; id: string; name: string }
  after?: string
}

export type Kind =
  | 'opportunity'
  | 'project'
  | 'task'
  | 'message'
  | 'sequence'
  | 'workflow_run'
  | 'invoice'
  | 'meeting'
  | 'call'
  | 'candidate'
