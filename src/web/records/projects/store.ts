import type { Column, Project, ProjectChange } from '#domains/projects/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'
import { valueText } from '../value-text.ts'

export const projects = recordStore<Project, ProjectChange>({
  path: '/api/crm/projects',
  keys: [cacheKeys.projects],
  one: 'project',
  nameOf: ({ name }) => name,
  textOf: (value, field) =>
    field === 'columns' ? (value as Column[]).map(({ name }) => name).join(', ') : valueText(value, field),
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.projects }),
})

/** A unique column key, derived from the name where possible. */
export function columnKey(name: string, taken: readonly Column[]): string {
  const stem =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 30) || 'column'
  for (let number = 1; ; number++) {
    const key = number === 1 ? stem : `${stem}_${number}`
    if (!taken.some(column => column.key === key)) return key
  }
}
