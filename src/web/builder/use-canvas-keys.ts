import { useEffect, useEffectEvent, type KeyboardEvent } from 'react'
import type { CanvasEdits } from './canvas-contract.ts'
import { next, placeOfStop, TRIGGER, type Way } from './moves.ts'
import { nodeAt, pathAt, placeAfter, placeOf, ROOT, type Nodes, type Place } from './tree.ts'

type Props = {
  nodes: Nodes
  edits: CanvasEdits | undefined
  onSelect: (stop: string | undefined) => void
  onOpen: (stop: string) => void
  /** Opens the menu of steps to add there. */
  open: (place: Place) => void
  fit: () => void
  frame: HTMLElement
}

const ways: Record<string, Way> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }

/** Keyboard control of a canvas: everything a pointer can do. */
export function useCanvasKeys(props: Props): (event: KeyboardEvent) => void {
  const { edits, frame } = props
  const canEdit = edits !== undefined
  const clip = useEffectEvent((event: ClipboardEvent) => copyOrPaste(event, props))
  useEffect(() => {
    if (!canEdit) return
    const listen = (event: ClipboardEvent) => {
      if (frame.contains(document.activeElement) && stopOf(document.activeElement)) clip(event)
    }
    const kinds = ['copy', 'cut', 'paste'] as const
    for (const kind of kinds) document.addEventListener(kind, listen)
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, listen)
    }
  }, [canEdit, frame])

  return event => {
    const stop = stopOf(event.target)
    if (stop === undefined || !press(event, stop, props)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Whether the key was handled. */
function press(event: KeyboardEvent, stop: string, props: Props): boolean {
  const { nodes, edits } = props
  const way = ways[event.key]
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (way && isPlain) return go(stop, way, props)
  if (event.key === 'Home' && isPlain) return done(props.onSelect(TRIGGER))
  if (event.key === 'Escape') return done(props.onSelect(undefined))
  if (isPlain && event.key === '0') return done(props.fit())
  if (!edits) return false
  const isNode = nodeAt(nodes, stop) !== undefined
  if (isPlain && event.key.toLowerCase() === 'a')
    return done(props.open(placeBeside(nodes, stop, event.shiftKey)))
  if (!isNode) return false
  if (way && event.altKey && (way === 'up' || way === 'down')) return done(edits.move(stop, way))
  if (isPlain && (event.key === 'Delete' || event.key === 'Backspace')) return done(edits.remove(stop))
  const isDouble = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd'
  return isDouble && done(edits.duplicate(stop))
}

function go(stop: string, way: Way, { nodes, edits, onSelect }: Props): boolean {
  let to = next(nodes, stop, way)
  // Read-only: skip empty branches.
  while (to !== undefined && !edits && placeOfStop(to)) to = next(nodes, to, way)
  if (to !== undefined) onSelect(to)
  return true
}

/** Nothing can be added between a split and its merge. */
function placeBeside(nodes: Nodes, stop: string, before: boolean): Place {
  if (stop === TRIGGER) return { list: ROOT, at: 0 }
  const place = placeOfStop(stop)
  if (place) return place
  const own = placeOf(stop)
  const typeAt = (at: number) => nodeAt(nodes, pathAt({ ...own, at }))?.type
  const isMerged = (at: number) => typeAt(at) === 'split' && typeAt(at + 1) === 'merge'
  if (before) return isMerged(own.at - 1) ? { ...own, at: own.at - 1 } : own
  return isMerged(own.at) ? { ...own, at: own.at + 2 } : placeAfter(stop)
}

function copyOrPaste(event: ClipboardEvent, { edits, nodes }: Props): void {
  const stop = stopOf(document.activeElement)
  if (stop === undefined || !edits || !event.clipboardData) return
  if (event.type === 'paste') {
    if (edits.paste(placeBeside(nodes, stop, false), event.clipboardData.getData('text/plain')))
      event.preventDefault()
    return
  }
  const text = nodeAt(nodes, stop) && edits.copy(stop)
  if (text === undefined) return
  event.clipboardData.setData('text/plain', text)
  event.preventDefault()
  if (event.type === 'cut') edits.remove(stop)
}

function stopOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-stop]')?.dataset.stop : undefined
}

function done(_: void): true {
  return true
}
