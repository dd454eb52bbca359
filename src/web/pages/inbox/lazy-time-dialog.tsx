import { lazy, Suspense, type ComponentProps } from 'react'

const Dialog = lazy(() => import('./time-dialog.tsx').then(({ TimeDialog }) => ({ default: TimeDialog })))

/** Loaded when it is first asked for: most choose one of the times that are proposed. */
export function TimeDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
