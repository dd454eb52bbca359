import type { FormContent } from './contract.ts'
import { checkContent } from './model.ts'
import { formPage } from './pages.ts'
import { initialValues } from './prefill.ts'

/** The page that this content would make, which is sent nowhere. */
export function previewPage(content: FormContent): string {
  checkContent(content)
  return formPage({
    content,
    given: initialValues(content, {}),
    faults: [],
    carried: {},
    embedded: false,
  })
}
