import { lazy, Suspense, type ComponentProps } from 'react'

const LazyConfirm = lazy(() => import('./confirm.tsx').then(({ Confirm }) => ({ default: Confirm })))
const LazyNameDialog = lazy(() =>
  import('./name-dialog.tsx').then(({ NameDialog }) => ({ default: NameDialog })),
)

/** The same dialogs, fetched when one is asked for: pages that people open all day come without them. */
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
