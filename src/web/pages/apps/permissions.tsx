import IconChevronRight from 'icon:chevron-right'
import { allScopes, scopes as words, type Scope } from '#platform/scopes.ts'
import { plural } from '../../ui/words.ts'
import classes from './apps.module.css'

const READ_AT_A_GLANCE = 3

/** Permissions in the words of the consent page; a long list is collapsed. */
export function Permissions({ of: given }: { of: readonly Scope[] }) {
  const list = (
    <ul className={classes.permissions}>
      {allScopes
        .filter(scope => given.includes(scope))
        .map(scope => (
          <li key={scope}>{words[scope]}</li>
        ))}
    </ul>
  )
  if (given.length <= READ_AT_A_GLANCE) return list
  const all = given.length === allScopes.length
  return (
    <details className={classes.opens}>
      <summary>
        <IconChevronRight size={14} aria-hidden />
        {all ? 'All ' : ''}
        {plural(given.length, 'permission')}
      </summary>
      {list}
    </details>
  )
}
