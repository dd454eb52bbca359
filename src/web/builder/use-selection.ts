import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { patterns } from '../paths.ts'
import { nearest, placeOfStop } from './moves.ts'
import type { Nodes } from './tree.ts'

export type Selection = {
  /** The selected stop, or the nearest one that exists. */
  at: string | undefined
  select: (stop: string | undefined) => void
}

/** The selected step. It is in the URL, so that it can be linked. */
export function useSelection(id: string, search: Record<string, unknown>, nodes: Nodes): Selection {
  const navigate = useNavigate()
  const [stop, setStop] = useState(() => (typeof search.node === 'string' ? search.node : undefined))
  const at = stop === undefined ? undefined : nearest(nodes, stop)
  const shown = at !== undefined && !placeOfStop(at) ? at : undefined
  const told = useRef(typeof search.node === 'string' ? search.node : undefined)
  useEffect(() => {
    if (told.current === shown) return
    told.current = shown
    void navigate({
      to: patterns.workflow,
      params: { id },
      search: shown === undefined ? {} : { node: shown },
      replace: true,
    })
  }, [shown, id, navigate])
  return { at, select: useCallback((next: string | undefined) => setStop(next), []) }
}
