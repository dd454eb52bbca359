import { memo } from 'react'
import type { Layout, Line } from './layout.ts'
import classes from './canvas.module.css'

const RADIUS = 8

type Props = { layout: Layout; reached: ReadonlySet<string> | undefined }

/** The lines between nodes. Decorative: the names of the nodes say where they belong. */
export const CanvasLines = memo(function CanvasLines({ layout, reached }: Props) {
  const { width, height, lines, frames, labels, ends } = layout
  return (
    <div aria-hidden>
      {frames.map(({ path, text, x, y, width, height }) => (
        <div key={path} className={classes.frame} style={{ transform: move(x, y), width, height }}>
          <span>{text}</span>
        </div>
      ))}
      <svg className={classes.lines} width={width} height={height}>
        {lines.map(line => (
          <path
            key={line.points.join(' ')}
            d={drawn(line)}
            data-reached={(line.into !== undefined && reached?.has(line.into)) || undefined}
          />
        ))}
      </svg>
      {labels.map(({ text, x, y, width, height }) => (
        <span
          key={`${x} ${y}`}
          className={classes.label}
          style={{ transform: move(x, y), width, height }}
          title={text}
        >
          {text}
        </span>
      ))}
      {ends.map(({ path, x, y, width, height }) => (
        <span key={path} className={classes.end} style={{ transform: move(x, y), width, height }}>
          End
        </span>
      ))}
    </div>
  )
})

function move(x: number, y: number): string {
  return `translate(${x}px, ${y}px)`
}

/** With rounded corners, as far as there is room. */
function drawn({ points }: Line): string {
  const [first, ...rest] = points
  let path = `M${first![0]} ${first![1]}`
  for (const [at, [x, y]] of rest.entries()) {
    const next = rest[at + 1]
    const before = points[at]!
    if (!next) {
      path += `L${x} ${y}`
      continue
    }
    const radius = Math.min(RADIUS, distance(before, [x, y]) / 2, distance([x, y], next) / 2)
    const [inX, inY] = towards([x, y], before, radius)
    const [outX, outY] = towards([x, y], next, radius)
    path += `L${inX} ${inY}Q${x} ${y} ${outX} ${outY}`
  }
  return path
}

type Point = [number, number]

function distance(a: Point, b: Point): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1])
}

function towards(from: Point, to: Point, far: number): Point {
  return [from[0] + Math.sign(to[0] - from[0]) * far, from[1] + Math.sign(to[1] - from[1]) * far]
}
