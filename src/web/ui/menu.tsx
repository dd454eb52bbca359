import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-list.tsx'

export type { MenuItem, MenuProps } from './menu-list.tsx'

const MenuList = lazy(() => import('./menu-list.tsx').then(({ MenuList }) => ({ default: MenuList })))

/** A button with a menu that is loaded when first opened. */
export function ButtonMenu(props: MenuProps) {
  const [wanted, setWanted] = useState(false)
  const button = cloneElement(props.button, {
    onClick: () => setWanted(true),
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  })
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <MenuList {...props} />
    </Suspense>
  )
}
