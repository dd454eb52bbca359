import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconDeviceDesktop from 'icon:device-desktop'
import IconDeviceMobile from 'icon:device-mobile'
import type { SignedInBrowser } from '#domains/identity/contract.ts'
import { ownTeamsQuery } from '../../shell/teams.ts'
import { Time } from '../../ui/time.tsx'
import { browserName, isHandheld } from './browser-name.ts'
import classes from '../../ui/person-rows.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Props = { browsers: SignedInBrowser[]; end: (browser: SignedInBrowser) => void }

/** The current browser comes first. */
export function BrowserList({ browsers, end }: Props) {
  const teams = useQuery(ownTeamsQuery).data ?? []
  const inOrder = browsers.toSorted((a, b) => Number(b.current) - Number(a.current))
  return (
    <ul className={`${rowsClasses.rows} ${classes.rows}`} data-columns="browsers" aria-label="Browsers">
      {inOrder.map(browser => (
        <Row
          key={browser.id}
          browser={browser}
          // The team matters only to people with several.
          team={teams.length > 1 ? teams.find(({ id }) => id === browser.team_id)?.name : undefined}
          end={() => end(browser)}
        />
      ))}
    </ul>
  )
}

type RowProps = { browser: SignedInBrowser; team: string | undefined; end: () => void }

function Row({ browser, team, end }: RowProps) {
  const { user_agent, ip, current, created_at, last_seen_at } = browser
  const name = browserName(user_agent)
  const Device = isHandheld(user_agent) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li>
      <div className={classes.person}>
        <Device size={24} stroke={1.5} className={textClasses.dim} aria-hidden />
        <div className={classes.who}>
          <div className={classes.name} title={user_agent ?? undefined}>
            {name}
            {current && <span className={classes.mark}>This browser</span>}
          </div>
          <div className={textClasses.dim}>
            {[ip ?? 'Unknown IP address', team && `in ${team}`].filter(Boolean).join(', ')}
          </div>
        </div>
      </div>
      <div>
        <div>
          {current ? (
            'Active now'
          ) : (
            <>
              Last seen <Time at={last_seen_at} />
            </>
          )}
        </div>
        <div className={textClasses.dim}>
          Signed in <Time at={created_at} />
        </div>
      </div>
      <div className={classes.acts}>
        <Button
          size="xs"
          variant="default"
          onClick={end}
          aria-label={current ? 'Sign out of this browser' : `Sign out ${name}`}
        >
          Sign out
        </Button>
      </div>
    </li>
  )
}
