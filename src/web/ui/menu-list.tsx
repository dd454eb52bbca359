import { Menu } from '@mantine/core'
import { cloneElement, type ReactElement, type ReactNode, type Ref } from 'react'
import { useComeOpen } from './come-open.ts'

export type MenuItem = {
  label: string
  icon?: ReactNode
  run?: () => void
  /** The URL of a file to download. */
  file?: string
  disabled?: boolean
  /** The current choice. */
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

/** The menu with its button. Opens on mount, since it is loaded by opening it. */
export function MenuList({ button, items, position = 'bottom-end' }: MenuProps) {
  const { target, opened, setOpened } = useComeOpen()
  return (
    <Menu position={position} opened={opened} onChange={setOpened} withInitialFocusPlaceholder={false}>
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {items.map(item =>
          item === 'divider' ? <Menu.Divider key="divider" /> : <Item key={item.label} {...item} />,
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function Item({ label, icon, run, file, disabled, current, danger }: MenuItem) {
  const look = {
    leftSection: icon,
    ...(danger && { c: 'var(--mantine-color-error)' }),
    ...(current && { fw: 600, 'aria-current': true }),
  }
  // A plain link: the browser streams the download to disk.
  if (file !== undefined)
    return (
      <Menu.Item component="a" href={file} download {...look}>
        {label}
      </Menu.Item>
    )
  return (
    <Menu.Item disabled={disabled === true} {...(run && { onClick: run })} {...look}>
      {label}
    </Menu.Item>
  )
}
