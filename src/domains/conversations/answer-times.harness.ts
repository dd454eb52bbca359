import type { AnswerFigures } from './contract.ts'

/** What happened in one conversation, as a test knows it. */
export type Happened = {
  at: number
  kind: 'in' | 'out' | 'close'
  conversation: string
  channel: string
  mailbox_id: string | null
  by: string | null
  undone?: boolean
}

export type Rules = {
  first: number | null
  next: number | null
  timezone: string
  hours: { day: number; from: string; until: string }[]
}

type Wait = Happened & { isFirst: boolean }
/** `end` is what ended it; nothing has, where it still waits. */
export type Ended = { wait: Wait; end: Happened | undefined; minutes: number; isLate: boolean | null }

const MINUTE_MS = 60_000

/** Every wait, found by going through what happened from the beginning, and counting the minutes one by one. */
export function waitsIn(
  happened: readonly Happened[],
  rulesFor: (wait: Happened) => Rules,
  now: number,
): Ended[] {
  const ended: Ended[] = []
  for (const id of new Set(happened.map(({ conversation }) => conversation))) {
    let wait: Wait | undefined
    let isFirst = true
    const end = (by: Happened | undefined, at: number) => {
      const rules = rulesFor(wait!)
      const minutes = openMinutes(wait!.at, at, rules)
      const target = wait!.isFirst ? rules.first : rules.next
      ended.push({ wait: wait!, end: by, minutes, isLate: target === null ? null : minutes >= target })
      wait = undefined
    }
    for (const each of happened) {
      if (each.conversation !== id || each.undone) continue
      if (each.kind === 'in') wait ??= { ...each, isFirst }
      else if (wait) end(each, each.at)
      if (each.kind === 'out') isFirst = false
    }
    if (wait) end(undefined, now)
  }
  return ended
}

/** The same figures as the report has, of these waits. */
export function figuresOf(ended: readonly Ended[]): AnswerFigures {
  const answers = ended.filter(({ end }) => end?.kind === 'out')
  const first = answers.filter(({ wait }) => wait.isFirst)
  const next = answers.filter(({ wait }) => !wait.isFirst)
  return {
    answered: answers.length,
    within_target: answers.filter(({ isLate }) => isLate === false).length,
    late: answers.filter(({ isLate }) => isLate).length,
    first_answers: first.length,
    first_median_min: part(first, 0.5),
    first_p90_min: part(first, 0.9),
    next_answers: next.length,
    next_median_min: part(next, 0.5),
    next_p90_min: part(next, 0.9),
    closed_unanswered: ended.filter(({ end }) => end?.kind === 'close').length,
    late_now: ended.filter(({ end, isLate }) => !end && isLate).length,
  }
}

/** Between the two that lie around it, in proportion. */
function part(ended: readonly Ended[], share: number): number | null {
  const sorted = ended.map(({ minutes }) => minutes).toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  const place = share * (sorted.length - 1)
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return Math.round((below + (above - below) * (place % 1)) * 10) / 10
}

function openMinutes(from: number, until: number, rules: Rules): number {
  let known = minutes.get(rules)
  if (!known) minutes.set(rules, (known = new Map()))
  let count = 0
  for (let at = from; at < until; at += MINUTE_MS) {
    let isOpen = known.get(at)
    if (isOpen === undefined) known.set(at, (isOpen = isOpenAt(at, rules)))
    if (isOpen) count++
  }
  return count
}
const minutes = new Map<Rules, Map<number, boolean>>()

function isOpenAt(at: number, { timezone, hours }: Rules): boolean {
  const [weekday, time] = clockOf(timezone).format(at).replace(',', '').split(' ') as [string, string]
  const day = WEEKDAYS.indexOf(weekday) + 1
  return hours.some(span => span.day === day && span.from <= time && time < span.until)
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let known = clocks.get(timeZone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
    clocks.set(timeZone, known)
  }
  return known
}
