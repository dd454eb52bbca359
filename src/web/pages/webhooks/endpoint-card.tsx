import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { TestAnswer as Answer, WebhookEndpoint } from '#domains/deliveries/contract.ts'
import { api } from '../../api.ts'
import { paths, patterns } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { Time, useNow } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { enableEndpoint } from './deliveries-cache.ts'
import { SecretField } from '../../ui/secret-field.tsx'
import { TestAnswer } from '../../records/deliveries/test-answer.tsx'
import { endpointWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import classes from './endpoints.module.css'

/** An endpoint that receives events: its health and actions. */
export function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, name, owner, url, status } = endpoint
  const [answer, setAnswer] = useState<Answer>()
  const [showsSecret, setShowsSecret] = useState(false)
  const isAdmin = useIsAtLeast('ADMIN')
  const canSend = useIsAtLeast('MEMBER')
  const secretId = useId()
  const now = useNow()
  const isPaused = endpoint.paused_until !== null && Date.parse(endpoint.paused_until) > now
  const isThere = status !== 'REMOVED'
  return (
    <li className={`${cardClasses.card} ${classes.card}`} data-removed={!isThere || undefined}>
      <div className={cardClasses.head}>
        <div className={cardClasses.title}>
          <h3 className={`${cardClasses.name} ${classes.name}`}>
            {owner.kind === 'form' ? (
              <Link to={patterns.form} params={{ id: owner.id }} search={{}}>
                {name}
              </Link>
            ) : owner.kind === 'agent' ? (
              <Link to={patterns.agent} params={{ id: owner.id }} search={{ tab: 'tools' }}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          <Badge words={endpointWords[status]} />
        </div>
        {isThere && (
          <div className={cardClasses.acts}>
            {isAdmin && (status === 'DISABLED' || isPaused) && <Enable endpoint={endpoint} />}
            {canSend && <SendTest endpoint={endpoint} show={setAnswer} />}
            {isAdmin && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Secret of ${name}`}
                aria-expanded={showsSecret}
                aria-controls={secretId}
                onClick={() => setShowsSecret(!showsSecret)}
              >
                Secret
              </Button>
            )}
          </div>
        )}
      </div>
      <code className={classes.url}>{url}</code>
      <p className={classes.health}>
        <Health endpoint={endpoint} isPaused={isPaused} />
        <Link to={paths.deliveries} search={{ endpoint_id: id }} aria-label={`Deliveries to ${name}`}>
          Deliveries
        </Link>
      </p>
      <div id={secretId} hidden={!showsSecret}>
        {showsSecret && <SecretField endpointId={id} name={name} />}
      </div>
      {answer && <TestAnswer answer={answer} />}
    </li>
  )
}

function Health({ endpoint, isPaused }: { endpoint: WebhookEndpoint; isPaused: boolean }) {
  const { status, failures, failing_since, paused_until, last_success_at, disabled_at } = endpoint
  return (
    <>
      {status !== 'ACTIVE' && <span>{endpointWords[status].about}</span>}
      {status === 'DISABLED' && disabled_at && (
        <span>
          Disabled <Time at={disabled_at} />
        </span>
      )}
      {failing_since && status !== 'REMOVED' && (
        <span className={textClasses.bad}>
          {plural(failures, 'failed attempt')}, first <Time at={failing_since} />
        </span>
      )}
      {isPaused && paused_until && (
        <span>
          Paused, resumes <Time at={paused_until} ahead />
        </span>
      )}
      {last_success_at && (
        <span>
          Last delivered <Time at={last_success_at} />
        </span>
      )}
      {!last_success_at && status === 'ACTIVE' && <span>Nothing delivered yet</span>}
    </>
  )
}

function SendTest({
  endpoint: { id, name },
  show,
}: {
  endpoint: WebhookEndpoint
  show: (answer?: Answer) => void
}) {
  const { busy, submit } = useSubmit(async () => {
    show(undefined)
    show(await api('POST /api/webhooks/endpoints/:id/test', { params: { id }, changesNothing: true }))
  }, "Couldn't send the test")
  return (
    <Button size="xs" variant="default" loading={busy} aria-label={`Send test to ${name}`} onClick={submit}>
      Send test
    </Button>
  )
}

/** Enables a disabled endpoint, or ends its pause. */
function Enable({ endpoint: { id, name, status } }: { endpoint: WebhookEndpoint }) {
  const verb = status === 'DISABLED' ? 'Enable' : 'Resume'
  const { busy, submit } = useSubmit(async () => {
    await enableEndpoint(id)
    toast(`Deliveries to ${name} resumed`)
  }, "Couldn't resume deliveries")
  return (
    <Button
      size="xs"
      variant={status === 'DISABLED' ? 'filled' : 'default'}
      loading={busy}
      aria-label={`${verb} ${name}`}
      onClick={submit}
    >
      {verb}
    </Button>
  )
}
