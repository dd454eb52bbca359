import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { OUTLINE_EVERY } from '#domains/leads/values.ts'
import { blockQuery, type LeadList } from '../../records/leads/cache.ts'

const NEAR = 3

/** Loads the blocks of the visible rows. A block that moved keeps its old rows until the new ones have loaded. */
export function useBlocks(list: LeadList, first: number, last: number): (row: number) => Lead | undefined {
  const from = Math.max(0, Math.floor(first / OUTLINE_EVERY))
  const to = Math.max(from, Math.min(Math.floor(last / OUTLINE_EVERY), list.cursors.length - 1))
  const shown = useRef({ text: list.text, blocks: new Map<number, Lead[]>() })
  if (shown.current.text !== list.text) shown.current = { text: list.text, blocks: new Map() }
  const { blocks } = shown.current
  // No screen shows more rows at once than four blocks have.
  const loaded = [
    useBlock(list, from, to),
    useBlock(list, from + 1, to),
    useBlock(list, from + 2, to),
    useBlock(list, from + 3, to),
  ]
  loaded.forEach((leads, index) => {
    if (leads) blocks.set(from + index, leads)
  })
  for (const number of blocks.keys()) if (number < from - NEAR || number > to + NEAR) blocks.delete(number)
  return row => blocks.get(Math.floor(row / OUTLINE_EVERY))?.[row % OUTLINE_EVERY]
}

function useBlock(list: LeadList, number: number, last: number): Lead[] | undefined {
  const enabled = number <= last
  const { data } = useQuery({ ...blockQuery(list.text, list.cursors[number] ?? null), enabled })
  return enabled ? data : undefined
}
