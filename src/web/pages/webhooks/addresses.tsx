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

/** The URLs to enter at providers, and where to set their secrets. */
export function Addresses() {
  const { teamId } = useUser()
  return (
    <div className={classes.help}>
      <p>
        Give each provider its URL. Events must be signed with <b>Standard Webhooks</b>: the headers{' '}
        <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, or their
        older <code>svix-…</code> names. Secrets are set as environment variables of the server.
      </p>
      <ul className={rowsClasses.rows}>
        {inboundEndpoints.map(endpoint => (
          <Address key={endpoint} endpoint={endpoint} />
        ))}
      </ul>
      <p>
        If several teams share this server, add <code className={classes.query}>?team={teamId}</code> to the
        URL to receive events that name no record.
      </p>
    </div>
  )
}

export function AddressesDialog({ close }: { close: () => void }) {
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Endpoint URLs" size={640} yOffset="5vh">
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
        <CopyIcon what={`${endpointNames[endpoint].toLowerCase()} URL`} value={address} />
      </div>
      <p className={textClasses.meta}>
        Secret: <code>{variable}</code>. Events: {acceptedTypes[endpoint].join(', ')}.
      </p>
    </li>
  )
}
