import { Menu, SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import IconBook2 from '@tabler/icons-react/dist/esm/icons/IconBook2.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import type { ReactElement } from 'react'
import { API_DOCS_PATH } from '../paths.ts'
import { useUser } from '../queries.ts'
import { inPlainWords } from '../ui/words.ts'
import { opened } from './opened.ts'
import { signOut } from './sign-out.ts'
import classes from './user-menu.module.css'

/** The menu around its button; open from the start, since it was asked for by opening it. */
export function UserMenuList({ button }: { button: ReactElement }) {
  const user = useUser()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="top-start" width={240} defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <div className={classes.about}>
          <div>{user.email}</div>
          <div>{inPlainWords(String(user.teamRole))}</div>
        </div>
        <Menu.Divider />
        <div className={classes.scheme}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label="Colour scheme"
            value={colorScheme}
            onChange={value => setColorScheme(value as MantineColorScheme)}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
              { value: 'auto', label: 'Auto' },
            ]}
          />
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
