import type { Form } from '#domains/forms/contract.ts'
import { Dotted } from '../../ui/stage.tsx'

type Published = Pick<Form, 'published' | 'version' | 'draft_changed'>

export function statusInWords({
  published,
  version,
  draft_changed,
}: Published): [word: string, tone: string] {
  if (published) return draft_changed ? ['Published, changed since', 'amber'] : ['Published', 'green']
  return version > 0 ? ['Not published any more', 'slate'] : ['Draft', 'slate']
}

/** Whether visitors see the form, and whether they see it as it is here. */
export function FormStatus({ form }: { form: Published }) {
  const [word, tone] = statusInWords(form)
  return <Dotted tone={tone}>{word}</Dotted>
}
