import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api.ts'
import { useIsAtLeast } from '../queries.ts'
import { Confirm } from './seldom-dialogs.tsx'
import { Time } from './time.tsx'
import { toast } from './toast.ts'
import { useSubmit } from './use-submit.ts'
import { CopyIcon } from './copy-line.tsx'
import textClasses from './text.module.css'
import classes from './parts.module.css'

type Props = {
  endpointId: string
  /** The name of the endpoint, where there are several on one page. */
  name?: string
}

type Secret = { secret: string; previous_until: string | null }

const HIDDEN = 'whsec_••••••••••••••••'

/** The signing secret of an endpoint. It is loaded when revealed, and stored nowhere. */
export function SecretField({ endpointId, name }: Props) {
  const isAdmin = useIsAtLeast('ADMIN')
  const [secret, setSecret] = useState<Secret>()
  const [asking, setAsking] = useState(false)
  const params = { id: endpointId }
  const of = name ? ` of ${name}` : ''

  const reveal = useSubmit(
    async () => setSecret(await api('GET /api/webhooks/endpoints/:id/secret', { params })),
    "Couldn't load the secret",
  )

  async function rotate() {
    setSecret(await api('POST /api/webhooks/endpoints/:id/secret', { params }))
    toast('Secret rotated')
  }

  if (!isAdmin) return <p className={textClasses.meta}>Only admins can see the signing secret.</p>
  return (
    <div className={classes.secret}>
      <div className={classes.secretLine}>
        <code className={classes.secretText} data-testid="webhook-secret">
          {secret?.secret ?? HIDDEN}
        </code>
        {secret && <CopyIcon what={`secret${of}`} value={secret.secret} />}
        <span className={classes.secretActs}>
          <Button
            size="xs"
            variant="default"
            loading={reveal.busy}
            aria-label={`${secret ? 'Hide' : 'Reveal'} secret${of}`}
            onClick={() => (secret ? setSecret(undefined) : reveal.submit())}
          >
            {secret ? 'Hide' : 'Reveal'}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Rotate secret${of}`}
            onClick={() => setAsking(true)}
          >
            Rotate secret…
          </Button>
        </span>
      </div>
      {secret?.previous_until && (
        <p className={textClasses.meta}>
          The previous secret still works. It expires <Time at={secret.previous_until} ahead />.
        </p>
      )}
      {asking && (
        <Confirm
          title={`Rotate secret${of}?`}
          verb={`Rotate secret${of}`}
          act={rotate}
          close={() => setAsking(false)}
        >
          The old secret works for another 24 hours. Until then, everything is signed with both. Update the
          receiver in that time. This cannot be undone.
        </Confirm>
      )}
    </div>
  )
}
