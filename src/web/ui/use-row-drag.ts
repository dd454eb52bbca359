import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

type Data = Record<string, unknown>

const MARK = Symbol('a field of the form builder')
const isOurs = ({ source }: { source: { data: Data } }) => source.data.mark === MARK

/** Reports where a field was dropped: in which step, and before which field. */
export function useFieldDrops(
  enabled: boolean,
  drop: (id: string, step: number, before: string | null) => void,
): void {
  const tell = useEffectEvent(drop)
  useEffect(() => {
    if (!enabled) return
    return monitorForElements({
      canMonitor: isOurs,
      onDrop: ({ source, location }) => {
        const targets = location.current.dropTargets
        const step = targets.find(({ data }) => typeof data.step === 'number')?.data.step
        if (typeof step !== 'number') return
        const over = targets.find(({ data }) => typeof data.field === 'string')
        const id = String(source.data.id)
        const before = over ? beforeOf(over.element as HTMLElement, over.data) : null
        if (before !== id) tell(id, step, before)
      },
    })
  }, [enabled])
}

/** Upper half: before it. Lower half: before the next one, or at the end. */
function beforeOf(element: HTMLElement, data: Data): string | null {
  if (extractClosestEdge(data) === 'top') return String(data.field)
  return (element.nextElementSibling as HTMLElement | null)?.dataset.field ?? null
}

export function useRowDrag(id: string, enabled: boolean) {
  const ref = useRef<HTMLLIElement>(null)
  const [isDragged, setIsDragged] = useState(false)
  const [edge, setEdge] = useState<string>()
  useEffect(() => {
    const element = ref.current
    if (!enabled || !element) return
    return combine(
      draggable({
        element,
        getInitialData: () => ({ mark: MARK, id }),
        onDragStart: () => setIsDragged(true),
        onDrop: () => setIsDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: isOurs,
        getData: ({ input, element }) =>
          attachClosestEdge({ field: id }, { input, element, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self, source }) =>
          setEdge(source.data.id === id ? undefined : (extractClosestEdge(self.data) ?? undefined)),
        onDragLeave: () => setEdge(undefined),
        onDrop: () => setEdge(undefined),
      }),
    )
  }, [id, enabled])
  return { ref, isDragged, edge }
}

/** The area of a step: a field dropped there, but on no other field, goes to its end. */
export function useStepTarget(step: number, enabled: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!enabled || !element) return
    return dropTargetForElements({
      element,
      canDrop: isOurs,
      getData: () => ({ step }),
      onDrag: ({ location }) => setIsOver(location.current.dropTargets.length === 1),
      onDragLeave: () => setIsOver(false),
      onDrop: () => setIsOver(false),
    })
  }, [step, enabled])
  return { ref, isOver }
}
