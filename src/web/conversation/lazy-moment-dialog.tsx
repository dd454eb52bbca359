import { lazy, Suspense, type ComponentProps } from 'react'

const Dialog = lazy(() =>
  import('../ui/moment-dialog.tsx').then(({ MomentDialog }) => ({ default: MomentDialog })),
)

/** Loaded when it is first asked for: most choose one of the times that are proposed. */
export function MomentDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
