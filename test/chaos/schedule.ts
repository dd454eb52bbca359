import { randomNumbers } from '#test/random.ts'

/** Connections that can be disturbed. */
export const wireNames = ['database', 'api', 'smtp', 'sms', 'receiver', 'chain'] as const
export type WireName = (typeof wireNames)[number]

export const manners = ['slow', 'trickle', 'reset', 'refuse', 'hole'] as const
export type Manner = (typeof manners)[number]

export const faultKinds = [
  'kill_api',
  'kill_worker',
  'kill_database',
  'kill_backend',
  'end_backend',
  'freeze_api',
  'freeze_worker',
  'fill_disk',
  'shift_clock',
  'disturb_wire',
  'rolling_restart',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** One line of the plan. `target` is a share from 0 to 1: which process or connection it is depends on how many there are. */
export type PlannedFault = {
  n: number
  at_ms: number
  kind: FaultKind
  target: number
  /** How long it lasts; 0 for what happens in a moment. */
  lasts_ms: number
  /** Of a clock: by how much it is off. */
  shift_ms: number
  wire: WireName
  manner: Manner
}

type Asked = { seed: number; faults: number; lengthMs: number }

/** In how many of a hundred faults; the rest is `disturb_wire`. */
const SHARES: readonly (readonly [FaultKind, number])[] = [
  ['kill_api', 9],
  ['kill_worker', 12],
  ['kill_database', 4],
  ['kill_backend', 6],
  ['end_backend', 9],
  ['freeze_api', 3],
  ['freeze_worker', 5],
  ['fill_disk', 3],
  ['shift_clock', 10],
  ['rolling_restart', 2],
]
/** How often a fault comes in the same moment as the one before. */
const TOGETHER = 0.15

/** From the shortest to the longest. A process that is frozen sleeps past its lease of ten seconds. */
const LENGTHS_MS: Partial<Record<FaultKind, readonly [number, number]>> = {
  freeze_api: [2_000, 8_000],
  freeze_worker: [10_500, 14_000],
  fill_disk: [2_000, 6_000],
  shift_clock: [3_000, 15_000],
  disturb_wire: [1_000, 9_000],
}
const SHIFTS_MS = [2_000, 11_000, 65_000, 290_000, 3_600_000, 6 * 3_600_000]

/** The same seed gives the same plan. */
export function planFaults({ seed, faults, lengthMs }: Asked): PlannedFault[] {
  const random = randomNumbers(seed)
  const moments = Array.from({ length: faults }, () => Math.floor(random() * lengthMs)).toSorted(
    (a, b) => a - b,
  )
  const plan: PlannedFault[] = []
  for (const [at, moment] of moments.entries()) {
    const kind = kindAt(random() * 100)
    const [shortest, longest] = LENGTHS_MS[kind] ?? [0, 0]
    const isTogether = random() < TOGETHER
    plan.push({
      n: at + 1,
      at_ms: (isTogether && plan.at(-1)?.at_ms) || moment,
      kind,
      target: random(),
      lasts_ms: Math.round(shortest + random() * (longest - shortest)),
      shift_ms: oneOf(SHIFTS_MS, random()) * (random() < 0.5 ? -1 : 1),
      wire: oneOf(wireNames, random()),
      manner: oneOf(manners, random()),
    })
  }
  return plan
}

export function oneOf<Item>(items: readonly Item[], share: number): Item {
  return items[Math.min(items.length - 1, Math.floor(share * items.length))]!
}

function kindAt(share: number): FaultKind {
  let sum = 0
  for (const [kind, percent] of SHARES) if (share < (sum += percent)) return kind
  return 'disturb_wire'
}
