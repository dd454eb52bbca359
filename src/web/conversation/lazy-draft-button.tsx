import { lazy, Suspense, type ComponentProps } from 'react'

const Button = lazy(() => import('./draft-button.tsx').then(({ DraftButton }) => ({ default: DraftButton })))

/** Beside the composer, which can be used without it. */
export function DraftButton(props: ComponentProps<typeof Button>) {
  return (
    <Suspense fallback={null}>
      <Button {...props} />
    </Suspense>
  )
}
