import type { Findings } from './checker.ts'
import type { Killed } from './ledger.ts'

const SHOWN_MAX = 10
const NAME_LENGTH = 36

export function findingsTable({ compared, ...found }: Findings): string {
  const counts = Object.entries(compared).map(([name, count]) => `  ${name.padEnd(NAME_LENGTH)} ${count}`)
  const parts = Object.entries(found).map(([name, list]) => {
    const more = list.length > SHOWN_MAX ? [`    and ${list.length - SHOWN_MAX} more`] : []
    return [
      `  ${name.padEnd(NAME_LENGTH)} ${list.length}`,
      ...list.slice(0, SHOWN_MAX).map(line => `    ${line}`),
      ...more,
    ].join('\n')
  })
  return ['Compared', ...counts, 'Found', ...parts].join('\n')
}

/** How often processes were killed at which moment; some moments do not come in time. */
export function killsByMoment(when: string, kills: readonly Killed[]): Record<string, number> {
  const moments = Map.groupBy(kills, ({ moment }) => moment)
  return {
    [`kills while ${when}`]: kills.length,
    'of processes': kills.reduce((sum, { names }) => sum + names.length, 0),
    ...Object.fromEntries([...moments].map(([moment, list]) => [`of them at ${moment}`, list.length])),
  }
}

export function isBad({ lost, doubled, stuck, wrong }: Findings): boolean {
  return [lost, doubled, stuck, wrong].some(list => list.length > 0)
}
