import { ActionIcon, Button, Tooltip } from '@mantine/core'
import IconCalendar from 'icon:calendar'
import IconChevronDown from 'icon:chevron-down'
import IconChevronUp from 'icon:chevron-up'
import IconPhone from 'icon:phone'
import IconSitemap from 'icon:sitemap'
import IconSend from 'icon:send'
import IconTrash from 'icon:trash'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { count } from '../../ui/words.ts'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import type { Neighbour, Neighbours } from './neighbours.ts'
import { PersonMenu } from './person-menu.tsx'
import classes from './lead-page.module.css'

const CallDialog = lazy(() =>
  import('../../records/calls/call-dialog.tsx').then(({ CallDialog }) => ({ default: CallDialog })),
)

const EnrolLead = lazy(() =>
  import('../../records/sequences/enrol-selected.tsx').then(({ EnrolLead }) => ({ default: EnrolLead })),
)

const StartForLead = lazy(() =>
  import('../../records/workflows/start-dialog.tsx').then(({ StartForLead }) => ({ default: StartForLead })),
)

type Props = {
  lead: Lead
  neighbours: Neighbours
  open: (neighbour: Neighbour | undefined) => void
  /** Absent without permission to write. */
  trash: (() => void) | undefined
  /** Called after the person was erased. */
  erased: () => void
}

/** The previous and next lead of the list, and the actions for this one. */
export function LeadActions({ lead, neighbours, open, trash, erased }: Props) {
  return (
    <>
      {neighbours.place && (
        <>
          <span className={classes.place}>
            {count(neighbours.place)} of {count(neighbours.count ?? 0)}
          </span>
          <ActionIcon.Group>
            <Step
              label="Previous lead"
              keys="K"
              go={() => open(neighbours.previous)}
              off={!neighbours.previous}
            >
              <IconChevronUp size={16} />
            </Step>
            <Step label="Next lead" keys="J" go={() => open(neighbours.next)} off={!neighbours.next}>
              <IconChevronDown size={16} />
            </Step>
          </ActionIcon.Group>
        </>
      )}
      <Call lead={lead} />
      <Meet id={lead.id} />
      <Enrol id={lead.id} />
      <RunWorkflow id={lead.id} />
      {trash && (
        <>
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={trash} visibleFrom="md">
            Move to trash
          </Button>
          <ActionIcon variant="default" aria-label="Move to trash" onClick={trash} hiddenFrom="md">
            <IconTrash size={16} />
          </ActionIcon>
        </>
      )}
      <PersonMenu lead={lead} erased={erased} />
    </>
  )
}

function Call({ lead }: { lead: Lead }) {
  const [open, setOpen] = useState(false)
  const canCall = useCan('softphone:control')
  const ask = () => canCall && setOpen(true)
  useKeys({ c: ask })
  useCommands(
    canCall
      ? [
          {
            id: 'call',
            group: 'This page',
            label: 'Call this lead',
            words: 'phone agent voice dial start',
            keys: 'C',
            run: ask,
          },
        ]
      : [],
  )
  if (!canCall) return null
  return (
    <>
      <Button variant="default" leftSection={<IconPhone size={16} />} onClick={ask} visibleFrom="md">
        Call
      </Button>
      <ActionIcon variant="default" aria-label="Call" onClick={ask} hiddenFrom="md">
        <IconPhone size={16} />
      </ActionIcon>
      {open && (
        <Suspense fallback={null}>
          <CallDialog lead={lead} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Meet({ id }: { id: string }) {
  const canMeet = useCan('meetings:write')
  const meet = () => openNewMeeting({ lead_id: id })
  useCommands(
    canMeet
      ? [{ id: 'meet', group: 'This page', label: 'Book a meeting', words: 'meet calendar', run: meet }]
      : [],
  )
  if (!canMeet) return null
  return (
    <>
      <Button variant="default" leftSection={<IconCalendar size={16} />} onClick={meet} visibleFrom="md">
        Meet
      </Button>
      <ActionIcon variant="default" aria-label="Meet" onClick={meet} hiddenFrom="md">
        <IconCalendar size={16} />
      </ActionIcon>
    </>
  )
}

function Enrol({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const canEnrol = useCan('outreach:write')
  useCommands(
    canEnrol
      ? [
          {
            id: 'enrol',
            group: 'This page',
            label: 'Enrol in a sequence',
            words: 'outreach mail',
            run: () => setOpen(true),
          },
        ]
      : [],
  )
  if (!canEnrol) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSend size={16} />}
        onClick={() => setOpen(true)}
        visibleFrom="md"
      >
        Enrol
      </Button>
      <ActionIcon variant="default" aria-label="Enrol" onClick={() => setOpen(true)} hiddenFrom="md">
        <IconSend size={16} />
      </ActionIcon>
      {open && (
        <Suspense fallback={null}>
          <EnrolLead id={id} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function RunWorkflow({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const canStart = useCan('workflows:write')
  useCommands(
    canStart
      ? [
          {
            id: 'run-workflow',
            group: 'This page',
            label: 'Run a workflow',
            words: 'start automation',
            run: () => setOpen(true),
          },
        ]
      : [],
  )
  if (!canStart) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSitemap size={16} />}
        onClick={() => setOpen(true)}
        visibleFrom="md"
      >
        Run workflow
      </Button>
      <ActionIcon variant="default" aria-label="Run workflow" onClick={() => setOpen(true)} hiddenFrom="md">
        <IconSitemap size={16} />
      </ActionIcon>
      {open && (
        <Suspense fallback={null}>
          <StartForLead id={id} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

type StepProps = { label: string; keys: string; go: () => void; off: boolean; children: ReactNode }

function Step({ label, keys, go, off, children }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon variant="default" aria-label={label} aria-keyshortcuts={keys} disabled={off} onClick={go}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
