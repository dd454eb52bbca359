import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands, type Command } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel, PanelWaiting } from '../../ui/panel.tsx'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { inPlainWords } from '../../ui/words.ts'
import { useField } from '../../records/leads/choices.tsx'
import { leadName } from '../../records/leads/fields.ts'
import { without, type ListSearch } from '../../ui/record-list/search.ts'
import { conversationOfLead } from '../../records/conversations/of-lead.ts'
import { trashLeads } from '../../records/leads/bulk-writes.ts'
import { InvoicePanel } from '../../records/invoices/invoice-panel.tsx'
import { DealPanel } from '../../records/opportunities/deal-panel.tsx'
import { LeadActions } from './lead-actions.tsx'
import { LeadConversation } from './lead-conversation.tsx'
import { LeadMeetings } from './lead-meetings.tsx'
import { LeadFields } from './lead-fields.tsx'
import { LeadSkeleton } from './lead-skeleton.tsx'
import { LeadTasks } from './lead-tasks.tsx'
import { InTrash, NoSuchLead } from './missing.tsx'
import { moveToStage } from './move-stage.ts'
import { useNeighbours, type Neighbour } from './neighbours.ts'
import { NoteComposer } from './note-composer.tsx'
import { StageStepper } from './stage-stepper.tsx'
import { Timeline } from './timeline.tsx'
import pageClasses from '../../ui/page.module.css'
import panelColumnsClasses from '../../ui/panel-columns.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './lead-page.module.css'
import { leads } from '../../records/leads/store.ts'

const LeadCompany = lazy(() =>
  import('../../records/candidates/lead-company.tsx').then(({ LeadCompany }) => ({ default: LeadCompany })),
)
const LeadCalls = lazy(() => import('./lead-calls.tsx').then(({ LeadCalls }) => ({ default: LeadCalls })))
const LeadOutreach = lazy(() =>
  import('./lead-outreach.tsx').then(({ LeadOutreach }) => ({ default: LeadOutreach })),
)

const route = getRouteApi('/leads/$id')

export function LeadPage() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const query = useQuery({ ...leads.query(id), placeholderData: () => leads.known(id) })
  const lead = query.data
  // With the lead, not after it: what is in its place until it is loaded is then as tall.
  const conversations = useInfiniteQuery(conversationOfLead(id))
  useTitle(lead ? leadName(lead) : 'Lead')
  if (isProblem(query.error, 404) && query.error.code === 'in_trash')
    return <InTrash id={id} search={listSearch(search)} />
  if (isProblem(query.error, 404)) return <NoSuchLead search={listSearch(search)} />
  if (lead?.deleted_at) return <InTrash id={id} search={listSearch(search)} />
  if (query.error && !lead) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!lead) return <LeadSkeleton />
  const hasConversation = conversations.isPending ? undefined : Boolean(conversations.data?.pages[0]?.data[0])
  return <Shown key={lead.id} lead={lead} search={search} hasConversation={hasConversation} />
}

type Props = {
  lead: Lead
  search: ListSearch
  /** Undefined until it is known. */
  hasConversation: boolean | undefined
}

function Shown({ lead, search, hasConversation }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const neighbours = useNeighbours(lead.id, search)
  const composer = useRef<HTMLTextAreaElement>(null)
  const stages = useField('pipeline_stage')?.options ?? []
  const about = [lead.title, lead.company].filter(Boolean).join(' · ')
  const back = () => void navigate({ to: paths.leads, search: listSearch(search) })
  const write = () => composer.current?.focus()
  const notes = useNotes(canWrite, hasConversation)
  const trash = () => void trashLeads([lead]).then(done => done && back())

  function open(neighbour: Neighbour | undefined) {
    if (!neighbour) return
    const { id, row } = neighbour
    void navigate({ to: patterns.lead, params: { id }, search: { ...search, row: String(row) } })
  }

  useKeys({
    j: () => open(neighbours.next),
    k: () => open(neighbours.previous),
    u: back,
    ...(notes === 'below' && { m: write }),
  })
  useCommands(canWrite ? commandsFor(lead, stages, { ...(notes === 'below' && { write }), trash }) : [])

  return (
    <>
      <PageHead
        record
        title={leadName(lead)}
        beside={
          <span
            className={`${textClasses.dim} ${textClasses.cut} ${panelColumnsClasses.beside}`}
            title={about}
          >
            {about}
          </span>
        }
        actions={
          <LeadActions
            lead={lead}
            neighbours={neighbours}
            open={open}
            trash={canWrite ? trash : undefined}
            erased={back}
          />
        }
      />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.bar}>
          <LinkButton
            to={paths.leads}
            search={listSearch(search)}
            size="xs"
            variant="subtle"
            color="gray"
            className={classes.back}
            leftSection={<IconArrowLeft size={16} />}
          >
            Leads
          </LinkButton>
          <StageStepper lead={lead} stages={stages} canWrite={canWrite} />
        </div>
        <div className={`${panelColumnsClasses.columns} ${classes.columns}`}>
          <div className={`${panelColumnsClasses.panels} ${classes.conversation}`}>
            <LeadConversation lead={lead} takesNotes={notes === 'conversation'} />
          </div>
          <LeadFields lead={lead} canWrite={canWrite} />
          <div className={`${panelColumnsClasses.panels} ${classes.rest}`}>
            <div className={classes.panels}>
              <div className={classes.pile}>
                <DealPanel of={{ lead_id: lead.id }} />
                <Suspense fallback={<CallsWaiting />}>
                  <LeadCalls lead={lead} />
                </Suspense>
              </div>
              <div className={classes.pile}>
                <LeadTasks id={lead.id} />
                <LeadMeetings id={lead.id} />
              </div>
              <Suspense fallback={null}>
                <LeadCompany lead={lead} />
              </Suspense>
              <div className={fieldsClasses.wide}>
                <InvoicePanel
                  of={{ lead_id: lead.id }}
                  preset={{ lead_id: lead.id, account_id: lead.account_id }}
                />
              </div>
              <Suspense fallback={<OutreachWaiting />}>
                <LeadOutreach lead={lead} />
              </Suspense>
            </div>
            <section aria-label="Timeline">
              {notes === 'below' && <NoteComposer id={lead.id} field={composer} />}
              <Timeline id={lead.id} />
            </section>
          </div>
        </div>
      </div>
    </>
  )
}

/** Placeholder for the panel, as tall as it is for most leads. */
function CallsWaiting() {
  return (
    <Panel title="Calls">
      <PanelWaiting />
    </Panel>
  )
}

function OutreachWaiting() {
  if (!useCan('outreach:write')) return null
  return (
    <div className={fieldsClasses.wide}>
      <Panel title="Outreach">
        <PanelWaiting lines={1} />
      </Panel>
    </div>
  )
}

/**
 * Where notes are written: in the conversation, for there the team sees them beside the messages, or else above the timeline. It stays
 * where it was when somebody writes meanwhile: what is being typed would be lost.
 */
function useNotes(canWrite: boolean, hasConversation: boolean | undefined) {
  const canConverse = useCan('conversations:write')
  const [place, setPlace] = useState<'conversation' | 'below'>()
  if (place === undefined && hasConversation !== undefined)
    setPlace(hasConversation && canConverse ? 'conversation' : 'below')
  return canWrite ? place : undefined
}

type Acts = { write?: () => void; trash: () => void }

function commandsFor(lead: Lead, stages: readonly string[], { write, trash }: Acts): Command[] {
  const group = 'This page' as const
  return [
    ...(write ? [{ id: 'note', group, label: 'Write a note', keys: 'M', run: write }] : []),
    ...stages
      .filter(stage => stage !== lead.pipeline_stage)
      .map((stage): Command => ({
        id: `stage-${stage}`,
        group,
        label: `Move to ${inPlainWords(stage)}`,
        words: 'stage change pipeline',
        run: () => moveToStage(lead, stage),
      })),
    { id: 'trash', group, label: 'Move this lead to the trash', words: 'delete remove', run: trash },
  ]
}

function listSearch(search: ListSearch): ListSearch {
  return without(search, 'row')
}
