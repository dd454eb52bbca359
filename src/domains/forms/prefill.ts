import type { Parameters } from '#platform/contract.ts'
import type { FormContent } from './contract.ts'
import type { Given } from './fields-html.ts'
import { own } from './model.ts'
import { LONG_ANSWER_LENGTH_MAX } from './values.ts'

/** Initial values of the fields: from the URL, if the field accepts it, or its own default. */
export function initialValues({ fields }: FormContent, query: Parameters): Given {
  return Object.fromEntries(
    fields.flatMap(({ key, type, prefill, default_value }) => {
      const asked = prefill || type === 'hidden' ? own(query, key) : undefined
      const value = asked ?? default_value ?? undefined
      return value === undefined ? [] : [[key, shortened(value)]]
    }),
  )
}

function shortened(value: string | string[]): string | string[] {
  return typeof value === 'string' ? value.slice(0, LONG_ANSWER_LENGTH_MAX) : value.flatMap(shortened)
}
