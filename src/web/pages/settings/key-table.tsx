import { Button, Tooltip, VisuallyHidden } from '@mantine/core'
import type { ApiKey } from '#domains/identity/contract.ts'
import { scopes } from '#platform/scopes.ts'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../ui/words.ts'
import { usePeople } from '../../records/leads/people.ts'
import classes from '../../ui/table.module.css'
import textClasses from '../../ui/text.module.css'

export function KeyTable({ keys, revoke }: { keys: ApiKey[]; revoke: (key: ApiKey) => void }) {
  const people = usePeople()
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div className={classes.wrap} tabIndex={0} role="region" aria-label="API keys">
      <table className={classes.table} data-cards>
        <thead>
          <tr>
            <th>Name</th>
            <th>Permissions</th>
            <th>Owner</th>
            <th>Created</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <tr key={key.id}>
              <td>
                <div className={classes.strong}>{key.name}</div>
                <div className={`${textClasses.mono} ${textClasses.dim}`}>{key.prefix}…</div>
              </td>
              <td data-heading="Permissions">
                <Permissions of={key} />
              </td>
              <td data-heading="Owner">
                <span>{key.owner.name}</span>
                {key.owner.kind === 'service' && <div className={textClasses.dim}>Service</div>}
              </td>
              <td data-heading="Created">
                <Time at={key.created_at} />
                {key.created_by && key.created_by !== key.owner.id && (
                  <div className={textClasses.dim}>
                    by {people.get(key.created_by)?.name ?? 'a former member'}
                  </div>
                )}
              </td>
              <td data-heading="Last used">
                {key.last_used_at ? (
                  <Time at={key.last_used_at} />
                ) : (
                  <span className={textClasses.dim}>Never</span>
                )}
              </td>
              <td data-heading="Expires">
                {key.expires_at ? (
                  <Time at={key.expires_at} ahead />
                ) : (
                  <span className={textClasses.dim}>Never</span>
                )}
              </td>
              <td className={classes.right}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => revoke(key)}
                  aria-label={`Revoke ${key.name}`}
                >
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Permissions({ of: key }: { of: ApiKey }) {
  const [only] = key.scopes
  if (only && key.scopes.length === 1) return <span>{scopes[only]}</span>
  return (
    <Tooltip multiline maw={320} label={key.scopes.map(scope => scopes[scope]).join(', ')}>
      {/* Focusable, so that keyboard users can read the list. */}
      <button type="button" className={classes.plain}>
        {plural(key.scopes.length, 'permission')}
      </button>
    </Tooltip>
  )
}
