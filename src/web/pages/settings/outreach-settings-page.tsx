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

/** Who writes for the team, by what, and whether anything goes out at all. */
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
              title="Who writes"
              about={
                editable
                  ? 'What readers see of you, in every mail and text message of the team.'
                  : 'Only administrators can change these.'
              }
            >
              <OutreachSender settings={settings} editable={editable} />
            </Section>
            <Section
              title="What is connected"
              about="Whoever runs this server connects it by variables of its environment, and starts it again."
            >
              <OutreachConnections settings={settings} />
            </Section>
          </>
        )}
      </PageBody>
    </>
  )
}

/** The panic button: one press, and nothing of the team goes out. */
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
              Since <Time at={paused_at} />. Nothing goes out, in no sequence; what falls due meanwhile waits.
            </>
          ) : (
            'What falls due goes out. If something is wrong, hold everything first and look for the cause then.'
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
          Nothing goes out any more, in no sequence and to nobody, until somebody resumes it. Who is enrolled
          stays where they are.
        </Confirm>
      )}
    </section>
  )
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading the settings" className={classes.waiting}>
      <Bar width="100%" height={70} />
      <Bar width="100%" height={420} />
      <Bar width="100%" height={220} />
    </div>
  )
}
