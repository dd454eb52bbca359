import { lazy, Suspense, type ComponentType } from 'react'
import type { FilteredKind } from '#domains/fields/values.ts'
import type { FieldFiltersProps } from '../../ui/record-list/filters.ts'

const FieldFilters = lazy(() =>
  import('./field-filters.tsx').then(({ FieldFilters }) => ({ default: FieldFilters })),
)

/** Filters on any field of that kind of record; loaded with the first of them. */
export function fieldFiltersOf(kind: FilteredKind): ComponentType<FieldFiltersProps> {
  return function FieldFiltersOfKind(props) {
    if (props.filter === undefined && !props.editing) return null
    return (
      <Suspense fallback={null}>
        <FieldFilters kind={kind} {...props} />
      </Suspense>
    )
  }
}
