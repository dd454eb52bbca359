import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import IconBook2 from 'icon:book-2'
import IconKeyboard from 'icon:keyboard'
import IconLogout from 'icon:logout'
import type { ReactElement } from 'react'
import { roleNames } from '../records/members/roles.ts'
import { API_DOCS_PATH } from '../paths.ts'
import { useUser } from '../queries.ts'
import { opened } from '../ui/opened.ts'
import { signOut } from './sign-out.ts'
import { UserMenuTeams } from './user-menu-teams.tsx'
import classes from './user-menu.module.css'

const schemes = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'Auto'],
] as const

/** The menu with its button. Opens on mount, since it is loaded by opening it. */
export function UserMenuList({ button }: { button: ReactElement }) {
  const user = useUser()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="top-start" width={240} defaultOpened withInitialFocusPlaceholder={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <div className={classes.about}>
          <div>{user.email}</div>
          <div>{roleNames[user.teamRole]}</div>
        </div>
        <Menu.Divider />
        <UserMenuTeams />
        <Menu.Divider />
        <div className={classes.schemes}>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={value => setColorScheme(value as MantineColorScheme)}
            aria-label="Theme"
          >
            {schemes.map(([value, label]) => (
              <Menu.RadioItem
                key={value}
                value={value}
                closeMenuOnClick={false}
                classNames={{ item: classes.scheme, itemIndicator: classes.unseen }}
              >
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection="?"
          onClick={() => opened.set('shortcuts')}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconBook2 size={16} />} component="a" href={API_DOCS_PATH}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
