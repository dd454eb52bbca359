import { useMemo } from 'react'
import type { View } from '#domains/views/contract.ts'
import { createStore } from '../../ui/store.ts'
import { defaultColumns, type Field } from './fields.ts'

export type Column = { key: string; width?: number }
/** A field together with the width it has in this view. */
export type ShownColumn = Field & { width: number }

export const WIDTH_MIN = 60
export const WIDTH_MAX = 800

const STORAGE_KEY = 'rapport.columns'

/** Changes of columns that are not saved in a view, by view; the table without a view has '' as its name. */
const drafts = createStore<Record<string, Column[]>>(read())

export function useColumns(fields: Field[], view: View | undefined) {
  const draft = drafts.use(now => now[view?.id ?? ''])
  const saved = view?.columns ?? undefined
  const columns = useMemo(
    (): Column[] => draft ?? saved ?? defaultColumns.map(key => ({ key })),
    [draft, saved],
  )
  const shown = useMemo(
    () =>
      columns.flatMap(({ key, width }): ShownColumn[] => {
        const field = fields.find(each => each.key === key)
        return field ? [{ ...field, width: width ?? field.width }] : []
      }),
    [columns, fields],
  )
  return { columns, shown, changed: draft !== undefined && !same(draft, saved) }
}

export function setColumns(view: View | undefined, columns: Column[]): void {
  drafts.set(now => ({ ...now, [view?.id ?? '']: columns }))
  write()
}

export function dropDraft(viewId: string | undefined): void {
  drafts.set(({ [viewId ?? '']: _dropped, ...rest }) => rest)
  write()
}

export function resize(columns: Column[], key: string, width: number): Column[] {
  const bounded = Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width)))
  return columns.map(column => (column.key === key ? { ...column, width: bounded } : column))
}

export function move(columns: Column[], key: string, by: number): Column[] {
  const from = columns.findIndex(column => column.key === key)
  const to = from + by
  const column = columns[from]
  if (!column || to < 0 || to >= columns.length) return columns
  return columns.toSpliced(from, 1).toSpliced(to, 0, column)
}

function same(a: Column[], b: readonly Column[] | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b ?? defaultColumns.map(key => ({ key })))
}

function read(): Record<string, Column[]> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
  } catch {
    return {}
  }
}

function write(): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(drafts.get()))
  } catch {
    // Private windows may refuse; the columns then last as long as the tab.
  }
}
