import { cleanOptions, hasOptions, type DraftContent, type DraftField } from './draft-content.ts'
import { KEY } from './field-keys.ts'

/** What keeps the draft from being saved, and where to fix it: a field, or the form itself if `id` is null. */
export type DraftProblem = { id: string | null; name: string; message: string }

export function problemsOf(content: DraftContent): DraftProblem[] {
  return [...ownProblems(content), ...content.fields.flatMap(field => fieldProblems(field, content))]
}

export function messageAt(
  problems: readonly DraftProblem[],
  id: string | null,
  name: string,
): string | undefined {
  return problems.find(problem => problem.id === id && problem.name === name)?.message
}

function ownProblems({ title, submit_label, thank_you, redirect_url, steps }: DraftContent): DraftProblem[] {
  const found: DraftProblem[] = []
  const say = (name: string, message: string) => found.push({ id: null, name, message })
  if (!title.trim()) say('title', 'Enter a title')
  if (!submit_label.trim()) say('submit_label', 'Enter a button label')
  if (!thank_you.trim()) say('thank_you', 'Enter a thank-you text')
  if (redirect_url.trim() && !/^https?:\/\/[^\s<>"]+$/.test(redirect_url.trim()))
    say('redirect_url', 'Must start with https://')
  for (const [step, name] of steps.entries()) if (!name.trim()) say(`step ${step}`, 'Enter a step name')
  return found
}

function fieldProblems(field: DraftField, { fields }: DraftContent): DraftProblem[] {
  const found: DraftProblem[] = []
  const say = (name: string, message: string) => found.push({ id: field.id, name, message })
  if (!field.label.trim()) say('label', 'Enter a label')
  if (!KEY.test(field.key)) say('key', 'Lowercase letters, digits and _, starting with a letter')
  else if (fields.some(each => each !== field && each.key === field.key))
    say('key', 'Another field uses this key')
  if (hasOptions(field.type) && cleanOptions(field.options).length === 0)
    say('options', 'Enter at least one option')
  else if (hasOptions(field.type) && isNoOption(field)) say('default_value', 'No longer one of the options')
  return found
}

function isNoOption({ default_value, options }: DraftField): boolean {
  return default_value !== '' && !cleanOptions(options).includes(default_value)
}
