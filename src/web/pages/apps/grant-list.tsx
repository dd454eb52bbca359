import { Button } from '@mantine/core'
import type { Grant } from '#domains/oauth/contract.ts'
import { Person } from '../../ui/person.tsx'
import { Time } from '../../ui/time.tsx'
import { Permissions } from './permissions.tsx'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './apps.module.css'

type Props = { grants: Grant[]; ofTeam: boolean; disconnect: (grant: Grant) => void }

export function GrantList({ grants, ofTeam, disconnect }: Props) {
  return (
    <ul className={cardClasses.cards}>
      {grants.map(grant => (
        <li key={grant.id} className={cardClasses.card}>
          <div className={cardClasses.head}>
            <div className={cardClasses.title}>
              <h3 className={cardClasses.name}>{grant.client.name}</h3>
              <span className={textClasses.chip}>{origin(grant.client)}</span>
            </div>
            <div className={cardClasses.acts}>
              <Button
                size="xs"
                variant="default"
                aria-label={`Disconnect ${grant.client.name}${ofTeam ? ` for ${grant.user.name || grant.user.email}` : ''}`}
                onClick={() => disconnect(grant)}
              >
                Disconnect
              </Button>
            </div>
          </div>
          <dl className={`${factsClasses.facts} ${classes.facts}`}>
            {ofTeam && (
              <>
                <dt>Connected by</dt>
                <dd title={grant.user.email}>
                  <Person member={grant.user} />
                </dd>
              </>
            )}
            {hostOf(grant.client) && (
              <>
                <dt>Domain</dt>
                <dd>{hostOf(grant.client)}</dd>
              </>
            )}
            <dt>Permissions</dt>
            <dd>
              <Permissions of={grant.scopes} />
            </dd>
            <dt>Connected</dt>
            <dd>
              <Time at={grant.created_at} />
            </dd>
            <dt>Last used</dt>
            <dd>
              {grant.last_used_at ? (
                <Time at={grant.last_used_at} />
              ) : (
                <span className={textClasses.dim}>Never</span>
              )}
            </dd>
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** How far the name can be trusted: an app that registers itself chooses it freely. */
function origin({ source }: Grant['client']): string {
  return source === 'team' || source === 'operator' ? 'Set up here' : 'Self-registered'
}

/** An app with a metadata document is identified by the host of that document, which no one else can claim. */
function hostOf({ id, source }: Grant['client']): string | undefined {
  return source === 'document' && URL.canParse(id) ? new URL(id).host : undefined
}
