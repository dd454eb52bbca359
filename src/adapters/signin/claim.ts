/** What a provider says about a person is of any type until it is looked at; only a text that says something counts. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
