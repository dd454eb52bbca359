import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { count } from '../../ui/words.ts'
import { tabs, type Tab } from '../../records/sequences/search.ts'
import { numbersQuery } from '../../records/sequences/sequences-cache.ts'
import tabsClasses from '../../ui/tabs.module.css'

const names: Record<Tab, string> = {
  steps: 'Steps',
  leads: 'Leads',
  activity: 'Activity',
  settings: 'Settings',
}

/** The tabs of a sequence; each has its own URL. */
export function SequenceTabs({ id, tab }: { id: string; tab: Tab }) {
  const enrolled = useQuery(numbersQuery(id)).data?.enrolled ?? 0
  return (
    <nav className={tabsClasses.tabs} aria-label="Sequence sections">
      {tabs.map(each => (
        <Link
          key={each}
          to={patterns.sequence}
          params={{ id }}
          search={each === 'steps' ? {} : { tab: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          // Otherwise every tab counts as active when the URL names none.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
        >
          {names[each]}
          {each === 'leads' && enrolled > 0 && <span className={tabsClasses.count}>{count(enrolled)}</span>}
        </Link>
      ))}
    </nav>
  )
}
