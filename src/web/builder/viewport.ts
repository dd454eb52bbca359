import type { Box, Layout } from './layout.ts'

/** In React Flow's format. */
export type Viewport = { x: number; y: number; zoom: number }
export type Size = { width: number; height: number }

const PAD = 28
/** Below this zoom it is hard to read: the start is shown instead. */
const PLEASANT = 0.8
const READABLE = 0.6
export const ZOOM_MIN = 0.1
export const ZOOM_MAX = 1.6

/** The whole workflow if it is readable; otherwise its start, as large as its width allows. */
export function beginning(layout: Layout, size: Size): Viewport {
  const whole = fitting(layout, size)
  if (whole.zoom >= PLEASANT) return whole
  const zoom = Math.min(1, Math.max(READABLE, (size.width - 2 * PAD) / layout.width))
  return centred(layout, size, zoom)
}

/** The whole workflow, however small. */
export function fitting(layout: Layout, size: Size): Viewport {
  const wanted = Math.min((size.width - 2 * PAD) / layout.width, (size.height - 2 * PAD) / layout.height, 1)
  return centred(layout, size, Math.max(ZOOM_MIN, wanted))
}

function centred(layout: Layout, size: Size, zoom: number): Viewport {
  const isWide = layout.width * zoom > size.width - PAD
  const isHigh = layout.height * zoom > size.height - PAD
  const axis = isWide ? layout.trigger.x + layout.trigger.width / 2 : layout.width / 2
  return {
    zoom,
    x: size.width / 2 - axis * zoom,
    y: isHigh ? PAD : Math.min(72, (size.height - layout.height * zoom) / 2),
  }
}

/** The smallest move that makes a box visible; the same viewport if it already is. */
export function revealing(box: Box, size: Size, view: Viewport): Viewport {
  const along = (from: number, length: number, room: number, offset: number): number => {
    const begin = from * view.zoom + offset
    const end = begin + length * view.zoom
    if (begin >= PAD && end <= room - PAD) return offset
    return begin < PAD || end - begin > room - 2 * PAD ? offset + PAD - begin : offset - (end - room + PAD)
  }
  const x = along(box.x, box.width, size.width, view.x)
  const y = along(box.y, box.height, size.height, view.y)
  return x === view.x && y === view.y ? view : { ...view, x, y }
}
