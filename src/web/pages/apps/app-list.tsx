import { Button } from '@mantine/core'
import type { Client } from '#domains/oauth/contract.ts'
import { Time } from '../../ui/time.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { Permissions } from './permissions.tsx'
import cardClasses from '../../ui/card.module.css'
import textClasses from '../../ui/text.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './apps.module.css'

export type Act = 'edit' | 'rotate' | 'delete'

type Props = { apps: Client[]; act: (what: Act, app: Client) => void }

export function AppList({ apps, act }: Props) {
  return (
    <ul className={cardClasses.cards}>
      {apps.map(app => (
        <App key={app.id} app={app} act={what => act(what, app)} />
      ))}
    </ul>
  )
}

function App({ app, act }: { app: Client; act: (what: Act) => void }) {
  const people = usePeople()
  return (
    <li className={cardClasses.card}>
      <div className={cardClasses.head}>
        <div className={cardClasses.title}>
          <h3 className={cardClasses.name}>{app.name}</h3>
          <span className={textClasses.chip}>{app.confidential ? 'Confidential' : 'Public'}</span>
        </div>
        <div className={cardClasses.acts}>
          <Button size="xs" variant="default" aria-label={`Edit ${app.name}`} onClick={() => act('edit')}>
            Edit
          </Button>
          {app.confidential && (
            <Button
              size="xs"
              variant="default"
              aria-label={`New secret for ${app.name}`}
              onClick={() => act('rotate')}
            >
              New secret
            </Button>
          )}
          <Button size="xs" variant="default" aria-label={`Delete ${app.name}`} onClick={() => act('delete')}>
            Delete
          </Button>
        </div>
      </div>
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        <dt>Client ID</dt>
        <dd className={classes.clientId}>
          <code>{app.id}</code>
          <CopyIcon what={`the client ID of ${app.name}`} value={app.id} />
        </dd>
        <dt>Redirect URIs</dt>
        <dd>
          <ul className={classes.addresses}>
            {app.redirect_uris.map(uri => (
              <li key={uri}>{uri}</li>
            ))}
          </ul>
        </dd>
        <dt>Permissions</dt>
        <dd>
          <Permissions of={app.scopes} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={app.created_at} />
          {app.created_by && ` by ${people.get(app.created_by)?.name ?? 'a former member'}`}
        </dd>
      </dl>
    </li>
  )
}
