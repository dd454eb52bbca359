import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import IconMenu2 from 'icon:menu-2'
import IconSearch from 'icon:search'
import { lazy, Suspense, useEffect } from 'react'
import { LiveMark } from '../live/mark.tsx'
import { liveState } from '../live/stream.ts'
import { useLive } from '../live/use-live.ts'
import { Bell } from '../notifications/bell.tsx'
import { useBrowserPush } from '../notifications/use-browser-push.ts'
import { creditsQuery, useCan } from '../queries.ts'
import { conflicts } from '../records/conflicts.ts'
import { undoLast } from '../ui/toast.ts'
import { useKeys } from '../ui/keys.ts'
import { NARROW } from '../ui/narrow.ts'
import type { NewDialog } from './new-record.tsx'
import { opened } from '../ui/opened.ts'
import { Sidebar } from './sidebar.tsx'
import { useGoKeys } from './go.ts'
import { Wordmark } from './wordmark.tsx'
import classes from './shell.module.css'

const loadPalette = () => import('./palette.tsx')
const loadNewRecord = () => import('./new-record.tsx')
const loadNewLead = () => import('../records/leads/new-lead.tsx')

const NavigationDrawer = lazy(() =>
  import('./navigation-drawer.tsx').then(({ NavigationDrawer }) => ({ default: NavigationDrawer })),
)
// Rarely shown: not in the first download.
const PlanBanner = lazy(() => import('./plan-banner.tsx').then(({ PlanBanner }) => ({ default: PlanBanner })))
const Palette = lazy(() => loadPalette().then(({ Palette }) => ({ default: Palette })))
const Shortcuts = lazy(() => import('./shortcuts.tsx').then(({ Shortcuts }) => ({ default: Shortcuts })))
const NewRecord = lazy(() => loadNewRecord().then(({ NewRecord }) => ({ default: NewRecord })))
const ConflictDialog = lazy(() =>
  import('../records/conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
)
const NewLead = lazy(() => loadNewLead().then(({ NewLead }) => ({ default: NewLead })))

const QUIET_MS = 1_200

/** The frame around every page. */
export function Shell() {
  useLive()
  useBrowserPush()
  useFrameKeys()
  useFocusOnPageChange()
  useEarlyDialogs()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const dialog = opened.use(now => now)
  const conflict = conflicts.use(now => now[0])
  const plan = useQuery(creditsQuery).data?.plan
  return (
    <div className={classes.frame}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {narrow ? (
        <nav className={classes.bar} aria-label="Top bar">
          <ActionIcon aria-label="Open navigation" onClick={() => opened.set('navigation')}>
            <IconMenu2 size={20} />
          </ActionIcon>
          <Wordmark />
          <span className={classes.spacer} />
          <LiveMark />
          <Bell />
          <ActionIcon aria-label="Search and commands" onClick={() => opened.set('palette')}>
            <IconSearch size={19} />
          </ActionIcon>
        </nav>
      ) : (
        <aside className={classes.side} aria-label="Navigation">
          <Sidebar />
        </aside>
      )}
      <div className={classes.column}>
        {plan && plan !== 'ACTIVE' && (
          <Suspense fallback={null}>
            <PlanBanner />
          </Suspense>
        )}
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense fallback={null}>
        {dialog === 'navigation' && narrow && <NavigationDrawer />}
        {dialog === 'palette' && <Palette />}
        {dialog === 'shortcuts' && <Shortcuts />}
        {dialog === 'new-lead' && <NewLead />}
        {isNew(dialog) && <NewRecord dialog={dialog} />}
        {conflict && <ConflictDialog conflict={conflict} />}
      </Suspense>
    </div>
  )
}

function isNew(dialog: string | null): dialog is NewDialog {
  return dialog !== null && newDialogs.includes(dialog)
}

const newDialogs = ['new-opportunity', 'new-account', 'new-project', 'new-invoice', 'new-meeting']

function useFrameKeys(): void {
  const canWrite = useCan('leads:write')
  useGoKeys()
  useKeys(
    {
      'mod+k': () => opened.set(now => (now === 'palette' ? null : 'palette')),
      '?': () => opened.set('shortcuts'),
      // A page with a search field of its own takes this key first.
      '/': () => opened.set('palette'),
      'mod+z': undoLast,
      ...(canWrite && { n: () => opened.set('new-lead') }),
    },
    'frame',
  )
}

/** On navigation, screen readers announce the page's name and Tab starts at its top. */
function useFocusOnPageChange(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return
        const heading = document.querySelector<HTMLElement>('main h1')
        ;(heading ?? document.getElementById('main'))?.focus({ preventScroll: true })
      }),
    [router],
  )
}

/** People type right after Ctrl+K: the dialogs are preloaded once the page is idle. */
function useEarlyDialogs(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // A failed import may never succeed again: do not preload while offline.
      if (liveState.get() === 'connected')
        void Promise.all([loadPalette(), loadNewLead(), loadNewRecord()]).catch(() => {})
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
}
