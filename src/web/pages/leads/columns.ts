import type { View } from '#domains/views/contract.ts'
import * as list from '../../ui/record-list/columns.ts'
import { defaultColumns, type Field } from '../../records/leads/fields.ts'
import type { People } from '../../records/leads/plain-value.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'

export { move, resize, WIDTH_MAX, WIDTH_MIN, type Column } from '../../ui/record-list/columns.ts'
/** A field and its width in this view. */
export type ShownColumn = Field & { width: number }
/** What every row of the grid needs to render. */
export type RowContext = { shown: ShownColumn[]; people: People; search: LeadsSearch; canWrite: boolean }

export function useColumns(fields: Field[], view: View | undefined) {
  return list.useColumns('leads', fields, defaultColumns, view)
}

export function setColumns(view: View | undefined, columns: list.Column[]): void {
  list.setColumns('leads', view, columns)
}
