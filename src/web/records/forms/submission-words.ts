import type { Answers, FormField, Submission } from '#domains/forms/contract.ts'
import type { Suspicion } from '#domains/forms/values.ts'

export const statusWords: Record<Submission['status'], { word: string; tone: string }> = {
  RECEIVED: { word: 'Received', tone: 'green' },
  QUARANTINED: { word: 'In quarantine', tone: 'amber' },
}

export const suspicionWords: Record<Suspicion, string> = {
  honeypot: 'A hidden field was filled in',
  too_quick: 'Sent faster than anyone can type',
  bad_token: 'Not sent from the form page',
  too_many: 'Too many submissions from the same network',
  many_links: 'Contains many links',
}

/** An answer as plain text. */
export function answerText(value: Answers[string] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** The answers in the order of the form's fields. Answers to removed fields come last, labelled by key. */
export function labelledAnswers(
  values: Answers,
  fields: readonly FormField[],
): { key: string; label: string; text: string }[] {
  const known = fields.filter(({ key }) => Object.hasOwn(values, key))
  const others = Object.keys(values).filter(key => !fields.some(field => field.key === key))
  return [
    ...known.map(({ key, label }) => ({ key, label, text: answerText(values[key]) })),
    ...others.map(key => ({ key, label: key.replaceAll('_', ' '), text: answerText(values[key]) })),
  ]
}

/** Where the visitor came from, short enough for a column. */
export function sourceOf({ last_touch: { utm, referrer } }: Submission): string | undefined {
  if (utm.source) return [utm.source, utm.campaign].filter(Boolean).join(' / ')
  if (!referrer) return undefined
  return URL.canParse(referrer) ? new URL(referrer).host : referrer
}
