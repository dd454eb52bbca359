import { lazy, Suspense, type ComponentProps } from 'react'
import { Bar } from '../ui/states.tsx'
import classes from './builder.module.css'

// Loaded while the workflow is requested: it is as large as the rest of the page.
const loading = import('./canvas.tsx')
const LazyCanvas = lazy(() => loading.then(({ Canvas }) => ({ default: Canvas })))

export function Canvas(props: ComponentProps<typeof LazyCanvas>) {
  return (
    <Suspense fallback={<CanvasWaiting label="Loading canvas" />}>
      <LazyCanvas {...props} />
    </Suspense>
  )
}

/** Boxes where the first nodes will be. */
export function CanvasWaiting({ label }: { label: string }) {
  return (
    <div className={classes.waiting} role="status" aria-busy aria-label={label}>
      {[0, 1, 2].map(at => (
        <Bar key={at} width={212} height={74} />
      ))}
    </div>
  )
}
