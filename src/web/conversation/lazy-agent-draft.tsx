import { lazy, Suspense, type ComponentProps } from 'react'

const Panel = lazy(() => import('./agent-draft.tsx').then(({ AgentDraft }) => ({ default: AgentDraft })))

/** Above the composer, which can be used without it. */
export function AgentDraft(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
