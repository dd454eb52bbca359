import { useMemo } from 'react'
import type { View } from '#domains/views/contract.ts'
import { createStore } from '../store.ts'

export type Kind = View['kind']
export type Column = { key: string; width?: number }
/** A possible column of a list. */
export type ColumnField = { key: string; label: string; width: number }

export const WIDTH_MIN = 60
export const WIDTH_MAX = 800

const STORAGE_KEY = 'rapport.columns'

/** Column changes not saved in a view, by view id, or by list if there is no view. */
const drafts = createStore<Record<string, Column[]>>(read())

export function useColumns<F extends ColumnField>(
  kind: Kind,
  fields: readonly F[],
  defaults: readonly string[],
  view: View | undefined,
) {
  const draft = drafts.use(now => now[nameOf(kind, view?.id)])
  const saved = view?.columns ?? undefined
  const usual = useMemo((): Column[] => defaults.map(key => ({ key })), [defaults])
  const columns: Column[] = draft ?? saved ?? usual
  const shown = useMemo(
    () =>
      columns.flatMap(({ key, width }): F[] => {
        const field = fields.find(each => each.key === key)
        return field ? [{ ...field, width: width ?? field.width }] : []
      }),
    [columns, fields],
  )
  return { columns, shown, changed: draft !== undefined && !same(draft, saved ?? usual) }
}

export function setColumns(kind: Kind, view: View | undefined, columns: Column[]): void {
  drafts.set(now => ({ ...now, [nameOf(kind, view?.id)]: columns }))
  write()
}

export function dropDraft(kind: Kind, viewId: string | undefined): void {
  drafts.set(({ [nameOf(kind, viewId)]: _dropped, ...rest }) => rest)
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

/** Leads were first: their key has no kind. */
function nameOf(kind: Kind, viewId: string | undefined): string {
  return viewId ?? (kind === 'leads' ? '' : kind)
}

function same(a: readonly Column[], b: readonly Column[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
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
    // Storage may be blocked in private windows; the columns then last as long as the tab.
  }
}
