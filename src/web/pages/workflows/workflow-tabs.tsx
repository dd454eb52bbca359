import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import tabsClasses from '../../ui/tabs.module.css'

export type Tab = 'builder' | 'runs' | 'versions'

/** The sections of a workflow; each has its own URL. */
export function WorkflowTabs({ id, tab }: { id: string; tab: Tab }) {
  const look = (each: Tab) => ({
    className: tabsClasses.tab ?? '',
    activeProps: {},
    // Otherwise the URL without a tab counts as active in both.
    activeOptions: { exact: true, includeSearch: true },
    'aria-current': each === tab ? ('page' as const) : undefined,
  })
  return (
    <nav className={tabsClasses.tabs} aria-label="Workflow sections">
      <Link to={patterns.workflow} params={{ id }} search={{}} {...look('builder')}>
        Builder
      </Link>
      <Link to={patterns.workflowRuns} params={{ id }} search={{}} {...look('runs')}>
        Runs
      </Link>
      <Link to={patterns.workflowRuns} params={{ id }} search={{ tab: 'versions' }} {...look('versions')}>
        Versions
      </Link>
    </nav>
  )
}
