import { Modal } from '@mantine/core'
import { acceptedTypes } from '#domains/webhooks/values.ts'
import { useUser } from '../../queries.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { inboundEndpoints, type Endpoint } from './search.ts'
import { endpointNames } from './words.ts'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './addresses.module.css'

const places: Record<Endpoint, string> = {
  payment: '/api/webhooks/payment',
  voice: '/api/voice/engage/webhook',
  email: '/api/email/webhook',
  realtime: '/api/realtime/webhook',
}

/** What one puts into the settings of a provider, and where its secret belongs here. */
export function Addresses() {
  const { teamId } = useUser()
  return (
    <div className={classes.help}>
      <p>
        Give each provider its address. What it sends is signed as <b>Standard Webhooks</b> says, with the
        headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>;
        the older <code>svix-…</code> names are understood too. The secret is set by a variable of the server.
      </p>
      <ul className={rowsClasses.rows}>
        {inboundEndpoints.map(endpoint => (
          <Address key={endpoint} endpoint={endpoint} />
        ))}
      </ul>
      <p>
        Where several teams share this server and an event names no record, add{' '}
        <code className={classes.query}>?team={teamId}</code> to the address: it then comes to this team.
      </p>
    </div>
  )
}

export function AddressesDialog({ close }: { close: () => void }) {
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Addresses for providers" size={640} yOffset="5vh">
        <Addresses />
      </Modal>
    </>
  )
}

function Address({ endpoint }: { endpoint: Endpoint }) {
  const address = location.origin + places[endpoint]
  const variable = `${endpoint.toUpperCase()}_WEBHOOK_SECRET`
  return (
    <li className={classes.address}>
      <h3>{endpointNames[endpoint]}</h3>
      <div className={classes.line}>
        <code className={classes.text}>{address}</code>
        <CopyIcon what={`the ${endpointNames[endpoint].toLowerCase()} address`} value={address} />
      </div>
      <p className={textClasses.meta}>
        Secret in <code>{variable}</code>. Takes {acceptedTypes[endpoint].join(', ')}.
      </p>
    </li>
  )
}
