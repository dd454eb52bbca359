import { cloneElement, lazy, Suspense, useState, type ReactElement } from 'react'
import type { StepType } from '#domains/sequences/values.ts'

const AddStepMenu = lazy(() =>
  import('./add-step-menu.tsx').then(({ AddStepMenu }) => ({ default: AddStepMenu })),
)

type Props = {
  add: (type: StepType) => void
  isFull: boolean
  children: ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
}

/** A menu of step types, loaded when first opened: there is one between any two steps. */
export function AddStep({ add, isFull, children }: Props) {
  const [wanted, setWanted] = useState(false)
  const button = cloneElement(children, {
    onClick: () => setWanted(true),
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  })
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <AddStepMenu add={add} isFull={isFull}>
        {children}
      </AddStepMenu>
    </Suspense>
  )
}
