import { Link } from '@tanstack/react-router'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { patterns } from '../../paths.ts'
import { count } from '../../ui/words.ts'
import { tabs, type Tab } from '../../records/forms/search.ts'
import tabsClasses from '../../ui/tabs.module.css'

const names: Record<Tab, string> = {
  build: 'Build',
  settings: 'Settings',
  share: 'Share',
  submissions: 'Submissions',
}

/** The tabs of a form, each with its own URL. */
export function FormTabs({ form: { id, submissions }, tab }: { form: FormWithCounts; tab: Tab }) {
  const total = submissions.received + submissions.quarantined
  return (
    <nav className={tabsClasses.tabs} aria-label="Form sections">
      {tabs.map(each => (
        <Link
          key={each}
          to={patterns.form}
          params={{ id }}
          search={each === 'build' ? {} : { tab: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          // Otherwise the URL without a tab counts as active in all of them.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
        >
          {names[each]}
          {each === 'submissions' && total > 0 && <span className={tabsClasses.count}>{count(total)}</span>}
        </Link>
      ))}
    </nav>
  )
}
