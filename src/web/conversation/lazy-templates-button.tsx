import { lazy, Suspense, type ComponentProps } from 'react'

const Button = lazy(() =>
  import('./templates-button.tsx').then(({ TemplatesButton }) => ({ default: TemplatesButton })),
)

/** Loaded after the composer. */
export function TemplatesButton(props: ComponentProps<typeof Button>) {
  return (
    <Suspense fallback={null}>
      <Button {...props} />
    </Suspense>
  )
}
