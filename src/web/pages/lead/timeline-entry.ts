import type { TimelineEntry } from '#domains/leads/contract.ts'

/** The parts of a timeline entry that its sentence needs. */
export type Told = Pick<TimelineEntry, 'type' | 'subject' | 'data'> & Partial<Pick<TimelineEntry, 'cause'>>

/** The sentence of a timeline entry, and the record it links to. */
export type RecordWords = {
  before: string
  /** The record's name, and what its link needs. */
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
  | 'conversation'
