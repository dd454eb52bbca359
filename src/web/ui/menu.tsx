import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode, type Ref } from 'react'

const MenuList = lazy(() => import('./menu-list.tsx').then(({ MenuList }) => ({ default: MenuList })))

export type MenuItem = {
  label: string
  icon?: ReactNode
  run?: () => void
  /** The address of a file to download. */
  file?: string
  disabled?: boolean
  /** The one that holds already. */
  current?: boolean
  danger?: boolean
}

type ButtonProps = {
  onClick?: () => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  ref?: Ref<HTMLButtonElement>
}

export type MenuProps = {
  button: ReactElement<ButtonProps>
  items: readonly (MenuItem | 'divider')[]
  position?: 'bottom-start' | 'bottom-end'
}

/** A button and the menu behind it, which is fetched when it is first wanted: few of them are ever opened. */
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
