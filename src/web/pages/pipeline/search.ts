import {
  filterQuery,
  filtersOf,
  isIdOrNone,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

/** The URL of the pipeline: leads or opportunities, and the filters. */
export type PipelineSearch = ListSearch & { of?: 'opportunities' }

const pipelineShape: FilterShape = { searchable: true, lists: { owner_id: isIdOrNone } }

export function pipelineSearch(raw: Record<string, unknown>): PipelineSearch {
  return {
    ...(raw.of === 'opportunities' && { of: 'opportunities' }),
    ...filtersOf(pipelineShape, raw),
  }
}

export type Filters = { owner_id?: string[]; q?: string }

/** The filters as API parameters. */
export function pipelineQuery(filters: ListSearch): Filters {
  return filterQuery(pipelineShape, filters)
}
