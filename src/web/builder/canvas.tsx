import { ActionIcon } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, ViewportPortal } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import IconFocusCentered from 'icon:focus-centered'
import IconMinus from 'icon:minus'
import IconPlus from 'icon:plus'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type Ref,
} from 'react'
import type { CanvasHandle, CanvasProps, Offer } from './canvas-contract.ts'
import { CanvasSteps } from './canvas-steps.tsx'
import { layOut, type Box, type Layout } from './layout.ts'
import { emptyStop, TRIGGER } from './moves.ts'
import { isSamePlace, type Place } from './tree.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { beginning, fitting, revealing, ZOOM_MAX, ZOOM_MIN, type Size, type Viewport } from './viewport.ts'
import textClasses from '../ui/text.module.css'
import classes from './canvas.module.css'

const MOVE_MS = 160

/** The tree of a workflow; with `edits` it can be changed. */
export function Canvas(props: CanvasProps & { ref?: Ref<CanvasHandle> }) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<Viewport>()
  const layout = useMemo(() => layOut(props.nodes), [props.nodes])
  const begin = useEffectEvent(() => {
    if (frame.current) setView(beginning(layout, sizeOf(frame.current)))
  })
  // The first view depends on the available space.
  useLayoutEffect(() => begin(), [])
  return (
    <div ref={frame} className={classes.canvas}>
      {view && (
        <ReactFlowProvider>
          <Surface {...props} layout={layout} view={view} frame={frame.current!} />
        </ReactFlowProvider>
      )}
    </div>
  )
}

type SurfaceProps = CanvasProps & {
  ref?: Ref<CanvasHandle>
  layout: Layout
  view: Viewport
  frame: HTMLElement
}

function Surface(props: SurfaceProps) {
  const { layout, view, frame, ref, nodes, selected, onSelect, edits } = props
  const help = useId()
  const flow = useReactFlow()
  const isStill = useReducedMotion()
  const [adding, setAdding] = useState<Place>()
  /** The stop that had the focus before the menu opened. */
  const back = useRef<string>(undefined)
  /** The stop that gets the focus once it is drawn. */
  const wanted = useRef<string>(undefined)

  const show = useCallback(
    (next: Viewport) => void flow.setViewport(next, { duration: isStill ? 0 : MOVE_MS }),
    [flow, isStill],
  )
  const reveal = useEffectEvent((stop: string) => {
    const box = boxOf(layout, stop)
    const now = flow.getViewport()
    const next = box && revealing(box, sizeOf(frame), now)
    if (next && next !== now) show(next)
  })
  const fit = () => show(fitting(layout, sizeOf(frame)))
  const focus = useEffectEvent((stop: string) => {
    const element = [...frame.querySelectorAll<HTMLElement>('[data-stop], [data-place]')].find(
      ({ dataset }) => dataset.stop === stop || dataset.place === stop,
    )
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
    reveal(stop)
  })

  useImperativeHandle(ref, () => ({
    fit,
    focus: stop => {
      wanted.current = stop
      focus(stop)
    },
  }))

  useEffect(() => {
    if (wanted.current !== undefined && adding === undefined) focus(wanted.current)
  })
  const follow = useEffectEvent((stop: string) => {
    const active = document.activeElement
    // A removed node leaves the focus on the body. Focus elsewhere is never taken away.
    if (active === document.body || frame.contains(active)) focus(stop)
    else reveal(stop)
  })
  useEffect(() => {
    if (selected !== undefined && adding === undefined) follow(selected)
  }, [selected, adding])

  const keepInSight = useEffectEvent(() => {
    if (selected !== undefined) reveal(selected)
  })
  useEffect(() => {
    const observer = new ResizeObserver(() => keepInSight())
    observer.observe(frame)
    return () => observer.disconnect()
  }, [frame])

  const open = useCallback((place: Place) => {
    const { stop, place: plus } = (document.activeElement as HTMLElement | null)?.dataset ?? {}
    back.current = stop ?? plus
    setAdding(place)
  }, [])
  const close = useCallback(() => {
    setAdding(undefined)
    wanted.current = back.current
  }, [])

  const add = useCallback(
    (place: Place, offer: Offer) => {
      setAdding(undefined)
      edits?.add(place, offer)
    },
    [edits],
  )

  const keys = useCanvasKeys({
    nodes,
    edits,
    onSelect: stop => onSelect?.(stop, 'keys'),
    onOpen: stop => props.onOpen?.(stop),
    open: place => {
      open(place)
      const plus = layout.pluses.find(box => isSamePlace(box.place, place))
      if (plus) show(revealing(plus, sizeOf(frame), flow.getViewport()))
    },
    fit,
    frame,
  })

  return (
    <>
      <p id={help} className={textClasses.hidden}>
        Arrow keys move between steps, Enter opens a step.
        {edits &&
          ' A adds a step after it, Shift+A before it, Delete removes it, Alt+Up or Alt+Down moves it, Ctrl+D duplicates it.'}
      </p>
      <div
        className={classes.surface}
        role="group"
        aria-label="Workflow steps"
        aria-describedby={help}
        onKeyDown={keys}
        onClick={event => {
          const stop = stopAt(event.target)
          if (stop === undefined) return
          onSelect?.(stop, event.detail === 0 ? 'keys' : 'pointer')
          if (event.detail === 0) props.onOpen?.(stop)
        }}
      >
        <ReactFlow
          nodes={none}
          edges={none}
          defaultViewport={view}
          minZoom={ZOOM_MIN}
          maxZoom={ZOOM_MAX}
          panOnScroll
          zoomOnDoubleClick={false}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
          zoomActivationKeyCode={null}
          onPaneClick={() => onSelect?.(undefined, 'pointer')}
        >
          <Background gap={22} size={1.4} />
          <ViewportPortal>
            <CanvasSteps {...props} adding={adding} open={open} close={close} add={add} />
          </ViewportPortal>
        </ReactFlow>
      </div>
      <div className={classes.controls} role="group" aria-label="View">
        <ActionIcon variant="default" aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
          <IconPlus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Fit to view" onClick={fit}>
          <IconFocusCentered size={16} />
        </ActionIcon>
      </div>
    </>
  )
}

function boxOf(layout: Layout, stop: string): Box | undefined {
  if (stop === TRIGGER) return layout.trigger
  return (
    layout.nodes.find(({ path }) => path === stop) ??
    layout.pluses.find(({ place, only }) => only && emptyStop(place.list) === stop)
  )
}

function stopAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-stop]')?.dataset.stop : undefined
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: clientWidth, height: clientHeight }
}

const none: never[] = []
