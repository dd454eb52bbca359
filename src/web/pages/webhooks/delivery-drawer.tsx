import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconRotate from 'icon:rotate'
import type { Attempt, DeliveryWithAttempts } from '#domains/deliveries/contract.ts'
import { patterns } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { Fault } from '../../ui/states.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { Badge } from '../../ui/badge.tsx'
import { BodyView } from './body-view.tsx'
import { deliveryQuery, endpointsQuery, replayDelivery } from './deliveries-cache.ts'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { duration } from '../../ui/duration.ts'
import { InertText } from '../../ui/inert-text.tsx'
import { NextAttempt } from '../../records/deliveries/next-attempt.tsx'
import { answerWords, deliveryWords } from './words.ts'
import classes from '../../ui/drawer.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

export function DeliveryDrawer({ id, close }: { id: string; close: () => void }) {
  const query = useQuery(deliveryQuery(id))
  const delivery = query.data
  return (
    <Beside title={delivery?.type ?? 'Delivery'} close={close}>
      {delivery ? (
        <Sent key={id} delivery={delivery} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading delivery" />
      )}
    </Beside>
  )
}

function Sent({ delivery }: { delivery: DeliveryWithAttempts }) {
  const { status, event_id, endpoint_id, attempts, next_at, last_error, delivered_at, log } = delivery
  const words = deliveryWords[status]
  const canSend = useIsAtLeast('MEMBER')
  return (
    <div className={classes.parts}>
      <section className={classes.part} aria-label="Status">
        <div className={classes.verdict}>
          <Badge words={words} />
          {canSend && <SendAgain delivery={delivery} />}
        </div>
        <p>{words.about}</p>
        {status === 'FAILED' && last_error && <p className={textClasses.bad}>{last_error}</p>}
        {canSend && (
          <p className={textClasses.dim}>
            Resending keeps the event ID, so that the receiver can detect duplicates.
          </p>
        )}
      </section>
      <Facts>
        <Fact name="Endpoint">
          <Receiver id={endpoint_id} />
        </Fact>
        <Fact name="Event ID">
          <code>{event_id}</code>
          <CopyIcon what="event ID" value={event_id} />
        </Fact>
        <Fact name="Created">{exactly(delivery.created_at)}</Fact>
        {delivered_at && <Fact name="Delivered">{exactly(delivered_at)}</Fact>}
        {status === 'PENDING' && next_at && (
          <Fact name="Next attempt">
            <NextAttempt at={next_at} />
          </Fact>
        )}
      </Facts>
      <Part title={attempts > 0 ? plural(attempts, 'attempt') : 'Attempts'}>
        {log.length > 0 ? (
          <ol className={`${rowsClasses.rows} ${classes.list}`} aria-label="Attempts">
            {log.map(attempt => (
              <AttemptLine key={attempt.id} attempt={attempt} />
            ))}
          </ol>
        ) : (
          <p className={textClasses.dim}>No attempts yet.</p>
        )}
        {attempts > log.length && log.length > 0 && (
          <p className={textClasses.dim}>Only the last {log.length} are kept.</p>
        )}
      </Part>
      <BodyView title="Payload" text={delivery.body} />
    </div>
  )
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { at, duration_ms, response_status, response_body, error } = attempt
  return (
    <li>
      <div className={classes.line}>
        <Badge words={answerWords(response_status)} />
        <span className={classes.what}>in {duration(duration_ms)}</span>
        <Time at={at} />
      </div>
      {error && <p className={textClasses.bad}>{error}</p>}
      {response_body && <InertText label={`Response, ${exactly(at)}`} text={response_body} />}
    </li>
  )
}

function Receiver({ id }: { id: string }) {
  const endpoint = useQuery(endpointsQuery).data?.find(each => each.id === id)
  if (!endpoint) return <code>{id}</code>
  const { owner, name, url } = endpoint
  return (
    <>
      {owner.kind === 'form' ? (
        <Link to={patterns.form} params={{ id: owner.id }} search={{}}>
          {name}
        </Link>
      ) : owner.kind === 'agent' ? (
        <Link to={patterns.agent} params={{ id: owner.id }} search={{ tab: 'tools' }}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <code>{url}</code>
    </>
  )
}

function SendAgain({ delivery: { id, type, status } }: { delivery: DeliveryWithAttempts }) {
  const { busy, submit } = useSubmit(async () => {
    await replayDelivery(id)
    toast(`Resending ${type}`)
  }, "Couldn't resend the delivery")
  return (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<IconRotate size={14} />}
      onClick={submit}
    >
      {status === 'PENDING' ? 'Send now' : 'Resend'}
    </Button>
  )
}
