import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutreachSettings } from '#domains/messages/contract.ts'
import { useCan, useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { pauseOutreach, resumeOutreach } from '../../records/sequences/sequence-writes.ts'
import { outreachSettingsQuery } from '../../records/sequences/sequences-cache.ts'
import { OutreachConnections } from './outreach-connections.tsx'
import { OutreachSender } from './outreach-sender.tsx'
import classes from './outreach-settings.module.css'

/** The sender, the connections, and the pause switch for all outreach. */
export function OutreachSettingsPage() {
  useTitle('Sending')
  return useCan('outreach:write') ? <Shown /> : <NoOutreach title="Sending" />
}

function Shown() {
  const editable = useIsAtLeast('ADMIN')
  const { data: settings, error, isError, refetch } = useQuery(outreachSettingsQuery)
  return (
    <>
      <PageHead title="Sending" />
      <PageBody>
        {isError && !settings && <Fault error={error} retry={() => void refetch()} />}
        {!settings && !isError && <Waiting />}
        {settings && (
          <>
            <Everything settings={settings} />
            <Section
              title="Sender"
              about={
                editable
                  ? 'Used in every email and text message the team sends.'
                  : 'Only admins can change these settings.'
              }
            >
              <OutreachSender settings={settings} editable={editable} />
            </Section>
            <Section
              title="Connections"
              about="Set by environment variables of the server. Changes need a restart."
            >
              <OutreachConnections settings={settings} />
            </Section>
          </>
        )}
      </PageBody>
    </>
  )
}

/** The panic button: stops everything the team sends. */
function Everything({ settings: { paused_at } }: { settings: OutreachSettings }) {
  const [asked, setAsked] = useState(false)
  const { busy, submit } = useSubmit(resumeOutreach)
  return (
    <section
      className={classes.everything}
      data-paused={paused_at !== null || undefined}
      aria-label="All outreach"
    >
      <div role="status">
        <h2>{paused_at ? 'All outreach is paused' : 'Outreach is running'}</h2>
        <p className={classes.about}>
          {paused_at ? (
            <>
              Since <Time at={paused_at} />. Nothing is sent. Messages that fall due wait.
            </>
          ) : (
            'Messages are sent when they are due. If something is wrong, pause everything first, then find the cause.'
          )}
        </p>
      </div>
      {paused_at ? (
        <Button loading={busy} onClick={submit}>
          Resume all outreach
        </Button>
      ) : (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setAsked(true)}>
          Pause everything
        </Button>
      )}
      {asked && (
        <Confirm
          title="Pause all outreach?"
          verb="Pause everything"
          act={pauseOutreach}
          close={() => setAsked(false)}
        >
          Nothing is sent until someone resumes outreach. Enrolled leads keep their place.
        </Confirm>
      )}
    </section>
  )
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading settings" className={classes.waiting}>
      <Bar width="100%" height={70} />
      <Bar width="100%" height={420} />
      <Bar width="100%" height={220} />
    </div>
  )
}
