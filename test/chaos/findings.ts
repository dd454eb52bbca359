import type { Outcome } from './faults.ts'
import type { Ledger } from './ledger.ts'

export type Query = <Row = Record<string, any>>(text: string, values?: unknown[]) => Promise<Row[]>

export type Findings = {
  compared: Record<string, number>
  lost: string[]
  doubled: string[]
  stuck: string[]
  /** What must hold within the database, and does not. */
  wrong: string[]
  unknown: { messages: number; arrived: number; repeatedDeliveries: number }
}

export type Evidence = {
  query: Query
  ledger: Ledger
  outcomes: readonly Outcome[]
  /** Of the team that nothing was done with, before and after: see `fingerprintOf`. */
  other: { before: Fingerprint; after: Fingerprint }
  /** Why waiting for quiet was given up. */
  restless?: string | undefined
  /** Whether a process reported that it corrected kept counts. */
  correctedCounts: boolean
}

/** A digest of all rows of a team, by table. */
export type Fingerprint = Map<string, string>
