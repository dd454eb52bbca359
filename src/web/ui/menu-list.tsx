import { Menu } from '@mantine/core'
import { cloneElement } from 'react'
import { useComeOpen } from './come-open.ts'
import type { MenuItem, MenuProps } from './menu.tsx'

/** The menu around its button; it opens by itself, since it was asked for by opening it. */
export function MenuList({ button, items, position = 'bottom-end' }: MenuProps) {
  const { target, opened, setOpened } = useComeOpen()
  return (
    <Menu position={position} opened={opened} onChange={setOpened}>
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
    ...(danger && { color: 'red' }),
    ...(current && { fw: 600, 'aria-current': true }),
  }
  // A plain link: the browser writes to disk what arrives, however long it is.
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
