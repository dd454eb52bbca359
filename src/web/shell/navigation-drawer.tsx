import { Drawer } from '@mantine/core'
import { close } from '../ui/opened.ts'
import { Sidebar } from './sidebar.tsx'
import classes from './shell.module.css'

/** The sidebar on narrow screens. */
export function NavigationDrawer() {
  return (
    <Drawer.Root opened onClose={close} size={280}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Navigation">
        <div className={classes.drawer}>
          <Sidebar onNavigate={close} />
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
