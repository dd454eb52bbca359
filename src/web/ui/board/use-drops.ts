import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { useEffect, useEffectEvent, type RefObject } from 'react'

/** The card that was dropped on, and on which half. */
export type Over = { id: string; edge: 'top' | 'bottom' }

type Data = Record<string, unknown>

/** Reports where a card was dropped, and scrolls sideways while it is held near an end. */
export function useDrops(
  board: symbol,
  strip: RefObject<HTMLElement | null>,
  drop: (id: string, column: string, over: Over | undefined) => void,
): void {
  const tell = useEffectEvent(drop)
  useEffect(() => {
    const ours = ({ source }: { source: { data: Data } }) => source.data.board === board
    return combine(
      monitorForElements({
        canMonitor: ours,
        onDrop: ({ source, location }) => {
          const targets = location.current.dropTargets.map(({ data }) => data)
          const column = targets.find(data => typeof data.column === 'string')?.column
          if (column) tell(String(source.data.id), String(column), overOf(targets))
        },
      }),
      autoScrollForElements({ element: strip.current!, canScroll: ours }),
    )
  }, [board, strip])
}

function overOf(targets: Data[]): Over | undefined {
  const card = targets.find(data => typeof data.card === 'string')
  return card && { id: String(card.card), edge: extractClosestEdge(card) === 'top' ? 'top' : 'bottom' }
}
