import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconRotate from 'icon:rotate'
import IconShieldCheck from 'icon:shield-check'
import type { Effect, InboundEventInFull } from '#domains/webhooks/contract.ts'
import { useIsAtLeast } from '../../queries.ts'
import { Fault } from '../../ui/states.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { Badge } from '../../ui/badge.tsx'
import { BodyView } from './body-view.tsx'
import { CausedList } from './caused.tsx'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { inboxEventQuery, replayEvent } from './inbox-cache.ts'
import { endpointNames, inboundWords, outcomeWords, reactionInWords } from './words.ts'
import classes from '../../ui/drawer.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

export function InboxDrawer({ id, close }: { id: string; close: () => void }) {
  const query = useQuery(inboxEventQuery(id))
  const event = query.data
  return (
    <Beside title={event?.type ?? 'Event'} close={close}>
      {event ? (
        <Event key={id} event={event} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading event" />
      )}
    </Beside>
  )
}

function Event({ event }: { event: InboundEventInFull }) {
  const { status, endpoint, event_id, duplicates, replays, repeated_at, effects, caused } = event
  const words = inboundWords[status]
  // Unsupported event types stay unsupported: a replay would do nothing.
  const canReplay = useIsAtLeast('ADMIN') && status !== 'ignored'
  return (
    <div className={classes.parts}>
      <section className={classes.part} aria-label="Status">
        <div className={classes.verdict}>
          <span className={classes.states}>
            <Badge words={words} />
            <span className={classes.signed}>
              <IconShieldCheck size={16} aria-hidden />
              Signature verified
            </span>
          </span>
          {canReplay && <Replay event={event} />}
        </div>
        <p>{words.about}</p>
        {canReplay && (
          <p className={textClasses.dim}>
            A replay processes it again. Effects already applied are not repeated.
          </p>
        )}
      </section>
      <Facts>
        <Fact name="Endpoint">{endpointNames[endpoint]}</Fact>
        <Fact name="Event ID">
          <code>{event_id}</code>
          <CopyIcon what="event ID" value={event_id} />
        </Fact>
        <Fact name="Received">{exactly(event.received_at)}</Fact>
        {duplicates > 0 && (
          <Fact name="Received again">
            <span>
              {plural(duplicates, 'time')}
              {repeated_at && (
                <>
                  , last <Time at={repeated_at} />
                </>
              )}
              . Counted once.
            </span>
          </Fact>
        )}
        {replays > 0 && <Fact name="Replayed">{plural(replays, 'time')}</Fact>}
      </Facts>
      <Part title="Handled by">
        {effects.length > 0 ? (
          <ul className={`${rowsClasses.rows} ${classes.list}`}>
            {effects.map(effect => (
              <EffectLine key={effect.reaction} effect={effect} />
            ))}
          </ul>
        ) : (
          <p className={textClasses.dim}>Nothing has handled this event.</p>
        )}
      </Part>
      {caused.length > 0 && (
        <Part title="Resulting activity">
          <CausedList caused={caused} />
        </Part>
      )}
      <BodyView title="Payload" text={event.body} />
    </div>
  )
}

function EffectLine({ effect: { reaction, outcome, note, at } }: { effect: Effect }) {
  return (
    <li>
      <div className={classes.line}>
        <span className={classes.what}>{reactionInWords(reaction)}</span>
        <Badge words={outcomeWords[outcome]} />
        <Time at={at} />
      </div>
      {note && <p className={textClasses.dim}>{note}</p>}
    </li>
  )
}

function Replay({ event: { id, type } }: { event: InboundEventInFull }) {
  const { busy, submit } = useSubmit(async () => {
    await replayEvent(id)
    toast(`Replaying ${type}`)
  }, "Couldn't replay the event")
  return (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<IconRotate size={14} />}
      onClick={submit}
    >
      Replay
    </Button>
  )
}
