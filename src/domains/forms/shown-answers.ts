import { html, type Html } from '#platform/html.ts'
import type { Answers, FormContent } from './contract.ts'
import { own } from './model.ts'

const ANSWER_SHOWN_LENGTH_MAX = 5_000

/** What was answered, as a person reads it, in the order of the fields. */
export function shownAnswers({ fields }: FormContent, values: Answers): { label: string; answer: string }[] {
  return fields.flatMap(({ key, label }) => {
    const answer = shownAnswer(own(values, key))
    return answer === '' ? [] : [{ label, answer }]
  })
}

export function lines(text: string): Html[] {
  return text.split('\n').map((line, at) => (at === 0 ? html`${line}` : html`<br />${line}`))
}

function shownAnswer(answer: Answers[string] | undefined): string {
  if (answer === undefined) return ''
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no'
  const text = Array.isArray(answer) ? answer.join(', ') : String(answer)
  return text.slice(0, ANSWER_SHOWN_LENGTH_MAX)
}
