import type { Form } from '#domains/forms/contract.ts'
import { Dotted } from '../../ui/stage.tsx'

type Published = Pick<Form, 'published' | 'version' | 'draft_changed'>

export function statusInWords({
  published,
  version,
  draft_changed,
}: Published): [word: string, tone: string] {
  if (published) return draft_changed ? ['Published, edited', 'amber'] : ['Published', 'green']
  return version > 0 ? ['Unpublished', 'slate'] : ['Draft', 'slate']
}

/** Whether the form is published, and whether it has unpublished changes. */
export function FormStatus({ form }: { form: Published }) {
  const [word, tone] = statusInWords(form)
  return <Dotted tone={tone}>{word}</Dotted>
}
