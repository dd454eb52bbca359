import type { Parameters } from '#platform/contract.ts'
import type { FormContent } from './contract.ts'
import type { Given } from './fields-html.ts'
import { own } from './model.ts'
import { LONG_ANSWER_LENGTH_MAX } from './values.ts'

/** What stands in the fields at first: of the address, where the field takes it, or its own. */
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
