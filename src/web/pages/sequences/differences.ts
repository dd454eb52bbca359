import type { Step } from '#domains/sequences/contract.ts'
import { readCondition } from './draft-problems.ts'
import { delayInWords, stepTitle } from '../../records/sequences/words.ts'

/** What changed from one version to the next, step by step. */
export function differencesOf(before: readonly Step[], after: readonly Step[]): string[] {
  const pairs = pairsOf(before, after)
  const known = new Set(pairs.map(([old]) => old))
  const kept = new Map(pairs.map(([old, now]) => [now, old]))
  const gone = before.flatMap((step, at) =>
    known.has(step) ? [] : [`Removed step ${at + 1}: ${stepTitle(step)}`],
  )
  const others = after.flatMap((step, at) => {
    const old = kept.get(step)
    return old ? stepDifferences(old, step, at) : [`New step ${at + 1}: ${stepTitle(step)}`]
  })
  const order = pairs.map(([old]) => before.indexOf(old))
  const isMoved = order.some((place, at) => at > 0 && place < order[at - 1]!)
  return [...gone, ...others, ...(isMoved ? ['Steps reordered'] : [])]
}

/** Pairs the same step in both: first equal ones, then those with the same content, then those at the same position. */
function pairsOf(before: readonly Step[], after: readonly Step[]): [Step, Step][] {
  const pairs: [Step, Step][] = []
  const isFree = (step: Step, side: 0 | 1) => !pairs.some(pair => pair[side] === step)
  const rules: ((old: Step, now: Step) => boolean)[] = [
    (old, now) => textOf(old) === textOf(now),
    (old, now) => old.type === now.type && aboutOf(old) === aboutOf(now),
    (old, now) => old.type === now.type && before.indexOf(old) === after.indexOf(now),
  ]
  for (const isSame of rules) {
    for (const now of after) {
      if (!isFree(now, 1)) continue
      const old = before.find(each => isFree(each, 0) && isSame(each, now))
      if (old) pairs.push([old, now])
    }
  }
  return pairs.toSorted(([, a], [, b]) => after.indexOf(a) - after.indexOf(b))
}

function stepDifferences(old: Step, now: Step, at: number): string[] {
  const said: string[] = []
  const name = `Step ${at + 1}`
  if (aboutOf(old) !== aboutOf(now))
    said.push(
      now.type === 'email'
        ? `${name} uses template ${now.template} instead of ${old.template}`
        : `${name}: text changed`,
    )
  if ((old.delay_days ?? 0) !== (now.delay_days ?? 0))
    said.push(`${name}: ${delayInWords(now.delay_days ?? 0)} instead of ${delayInWords(old.delay_days ?? 0)}`)
  if ((old.condition ?? '') !== (now.condition ?? ''))
    said.push(
      now.condition
        ? `${name} is sent ${readCondition(now.condition).words ?? 'under a different condition'}`
        : `${name} is always sent`,
    )
  if ((old.ai_personalization ?? false) !== (now.ai_personalization ?? false))
    said.push(
      now.ai_personalization ? `${name} starts with an icebreaker` : `${name} no longer has an icebreaker`,
    )
  return said
}

function aboutOf({ template, description, message }: Step): string {
  return template ?? description ?? message ?? ''
}

function textOf({ type, delay_days = 0, condition = '', ai_personalization = false, ...step }: Step): string {
  return JSON.stringify([type, delay_days, condition, ai_personalization, aboutOf({ type, ...step })])
}
