import { lazy, Suspense, type ComponentProps } from 'react'

const List = lazy(() => import('./attachments.tsx').then(({ Attachments }) => ({ default: Attachments })))

/** Loaded with the first file: most messages have none. */
export function Attachments(props: ComponentProps<typeof List>) {
  if (props.files.length === 0) return null
  return (
    <Suspense fallback={null}>
      <List {...props} />
    </Suspense>
  )
}
