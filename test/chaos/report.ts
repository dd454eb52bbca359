import type { Findings } from './checker.ts'
import type { Outcome } from './faults.ts'

const SHOWN_MAX = 10

export function faultLine({ fault, at, done, skipped }: Outcome, seed: number): string {
  const time = new Date(at).toISOString().slice(11, 23)
  return `${time} seed ${seed} fault ${fault.n} ${fault.kind}: ${done ?? `skipped, ${skipped!.replace(/^no,? /, '')}`}`
}

/** How often each kind of fault was carried out, or why it was not. */
export function faultTable(outcomes: readonly Outcome[]): string {
  const lines = [...Map.groupBy(outcomes, ({ fault }) => fault.kind)].map(([kind, list]) => {
    const done = list.filter(({ done }) => done !== undefined).length
    const reasons = [...new Set(list.flatMap(({ skipped }) => skipped ?? []))]
    const skipped = list.length - done
    return `  ${kind.padEnd(16)} ${String(done).padStart(5)}${skipped > 0 ? `  (${skipped} skipped: ${reasons[0]})` : ''}`
  })
  return lines.toSorted().join('\n')
}

export function findingsTable({ compared, lost, doubled, stuck, wrong, unknown }: Findings): string {
  const counts = Object.entries(compared).map(([name, count]) => `  ${name.padEnd(22)} ${count}`)
  const parts = Object.entries({ lost, doubled, stuck, wrong }).map(([name, list]) => {
    const shown = list.slice(0, SHOWN_MAX).map(line => `    ${line}`)
    const more = list.length > SHOWN_MAX ? [`    and ${list.length - SHOWN_MAX} more`] : []
    return [`  ${name.padEnd(22)} ${list.length}`, ...shown, ...more].join('\n')
  })
  return [
    'Compared',
    ...counts,
    'Found',
    ...parts,
    `  unknown                ${unknown.messages} messages, of which ${unknown.arrived} had arrived; each with a fault that explains it`,
    `  repeated webhooks      ${unknown.repeatedDeliveries} (with the same ID, as documented)`,
  ].join('\n')
}

export function isBad({ lost, doubled, stuck, wrong }: Findings): boolean {
  return [lost, doubled, stuck, wrong].some(list => list.length > 0)
}
