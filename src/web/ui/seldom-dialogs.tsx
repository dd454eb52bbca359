import { lazy, Suspense, type ComponentProps } from 'react'

const LazyConfirm = lazy(() => import('./confirm.tsx').then(({ Confirm }) => ({ default: Confirm })))
const LazyNameDialog = lazy(() =>
  import('./name-dialog.tsx').then(({ NameDialog }) => ({ default: NameDialog })),
)

/** The same dialogs, loaded on demand to keep common pages small. */
export function Confirm(props: ComponentProps<typeof LazyConfirm>) {
  return (
    <Suspense fallback={null}>
      <LazyConfirm {...props} />
    </Suspense>
  )
}

export function NameDialog(props: ComponentProps<typeof LazyNameDialog>) {
  return (
    <Suspense fallback={null}>
      <LazyNameDialog {...props} />
    </Suspense>
  )
}
