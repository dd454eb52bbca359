import { useEffect, useRef } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { ShownColumn } from './columns.ts'
import { leadName, valueOf, type Values } from '../../records/leads/fields.ts'
import { grid, moveTo } from './grid-state.ts'
import { leads } from '../../records/leads/store.ts'

export function saveValues(lead: Lead, column: ShownColumn, values: Values): void {
  if (values[column.key] === valueOf(lead, column.key)) return
  void leads.change(lead.id, values, `Changed ${column.label.toLowerCase()} of ${leadName(lead)}`)
}

/** Moves to the next or previous cell. */
export function step(backwards: boolean): void {
  const { row, col } = grid.get()
  moveTo({ row, col: Math.max(0, col + (backwards ? -1 : 1)) })
}

export function useFocusAndSelect() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [])
  return field
}
