import { Menu } from '@mantine/core'
import IconDots from 'icon:dots'
import { memo } from 'react'
import type { MenuGroup } from './menu-choices.ts'
import classes from './board.module.css'

type Props = {
  name: string
  tabbable: boolean
  opened: boolean
  open: () => void
  close: () => void
  /** Computed when it opens. */
  choices: () => MenuGroup[]
}

/** A plain button until pressed: hundreds of closed menus would slow down scrolling. */
export const CardMenu = memo(function CardMenu({ name, tabbable, opened, open, close, choices }: Props) {
  const button = (
    <button
      type="button"
      className={classes.menu}
      aria-label={`Move ${name}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      tabIndex={tabbable ? 0 : -1}
      onClick={opened ? close : open}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  if (!opened) return button
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-end"
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      // Outside the column, which would clip it, but inside the main landmark.
      portalProps={{ target: '#main' }}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {choices().map(group => [
          <Menu.Label key={group.title}>{group.title}</Menu.Label>,
          ...group.choices.map(choice => (
            <Menu.Item key={choice.key} disabled={choice.disabled ?? false} onClick={choice.run}>
              {choice.label}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  )
})
