import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconTrash from 'icon:trash'
import type { Agent } from '#domains/agents/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { InTrash } from '../../ui/in-trash.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { AgentState } from './agent-list.tsx'
import { AgentOffer } from './agent-offer.tsx'
import { AgentTabs } from './agent-tabs.tsx'
import { CallingPart } from './calling-part.tsx'
import { ConversationPart } from './conversation-part.tsx'
import { PhonePart } from './phone-part.tsx'
import { agentSearch, type AgentTab } from '../../records/agents/search.ts'
import { TextPart } from './text-part.tsx'
import { ToolsPart } from './tools-part.tsx'
import { useAgentDraft, type AgentDraft } from './use-agent-draft.ts'
import { VersionsPart } from './versions-part.tsx'
import draftPageClasses from '../../ui/draft-page.module.css'
import { agents } from '../../records/agents/store.ts'
import { SaveNotice } from '../../ui/draft/save-notice.tsx'
import { useUndoKeys } from '../../ui/undo.tsx'

const route = getRouteApi('/agents/$id')

export function AgentPage() {
  const { id } = route.useParams()
  const canWrite = useCan('voice:write')
  const query = useQuery(agents.query(id))
  const agent = query.data
  useTitle(agent?.name ?? 'Agent')
  if (agent?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash')) {
    return (
      <InTrash noun="agent" list={paths.agents} restore={canWrite ? () => agents.bringBack(id) : undefined}>
        It will be permanently deleted after 30 days. Sold copies keep working.
      </InTrash>
    )
  }
  if (isProblem(query.error, 404)) return <NoSuch />
  if (query.error && !agent) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!agent) return <Waiting />
  return <Shown key={id} agent={agent} canWrite={canWrite} />
}

function Shown({ agent, canWrite }: { agent: Agent; canWrite: boolean }) {
  const navigate = useNavigate()
  const { tab = 'conversation' } = agentSearch(route.useSearch())
  const show = (tab: AgentTab) =>
    void navigate({ to: patterns.agent, params: { id: agent.id }, search: agentSearch({ tab }) })
  const draft = useAgentDraft(agent, show)
  const back = () => void navigate({ to: paths.agents, search: {} })
  const trash = () => void agents.trash(agent).then(done => done && back())
  useKeys({ u: back, 'mod+s': () => void draft.save() })
  useUndoKeys(draft.draft, canWrite)
  useCommands(
    canWrite
      ? [
          {
            id: 'trash',
            group: 'This page',
            label: 'Move this agent to trash',
            words: 'delete remove',
            run: trash,
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        title={agent.name}
        beside={<AgentState agent={agent} />}
        actions={
          <>
            {draft.isChanged ? (
              <Unsaved draft={draft} />
            ) : (
              <LinkButton
                to={paths.agents}
                search={{}}
                size="xs"
                variant="subtle"
                color="gray"
                leftSection={<IconArrowLeft size={16} />}
                visibleFrom="sm"
              >
                Agents
              </LinkButton>
            )}
            {canWrite && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconTrash size={16} />}
                  onClick={trash}
                  visibleFrom="sm"
                >
                  Move to trash
                </Button>
                {!draft.isChanged && (
                  <ActionIcon variant="default" aria-label="Move to trash" onClick={trash} hiddenFrom="sm">
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
              </>
            )}
          </>
        }
      />
      <AgentTabs id={agent.id} tab={tab} />
      <SaveNotice draft={draft.draft} noun="agent" isExplained={draft.isExplained} />
      <PageBody>
        {tab === 'sale' && <AgentOffer agent={agent} canWrite={canWrite} />}
        {tab === 'versions' && (
          <VersionsPart agent={agent} canWrite={canWrite} hasUnsaved={draft.isChanged} />
        )}
        <fieldset disabled={!canWrite}>
          {tab === 'conversation' && (
            <>
              <ConversationPart draft={draft} />
              <TextPart draft={draft} />
            </>
          )}
          {tab === 'tools' && <ToolsPart agent={agent} draft={draft} canWrite={canWrite} />}
          {tab === 'phone' && <PhonePart draft={draft} />}
          {tab === 'calling' && <CallingPart draft={draft} />}
        </fieldset>
      </PageBody>
    </>
  )
}

/** Shown in the page head while there are unsaved changes. */
function Unsaved({ draft }: { draft: AgentDraft }) {
  return (
    <>
      <span className={draftPageClasses.unsaved} role="status">
        Unsaved changes
      </span>
      <Button variant="subtle" color="gray" onClick={draft.discard}>
        Discard
      </Button>
      <Button
        loading={draft.isBusy}
        aria-keyshortcuts="Control+S"
        title="Save (Ctrl+S)"
        onClick={() => void draft.save()}
      >
        Save
      </Button>
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Agent" />
      <PageBody>
        <div role="status" aria-busy aria-label="Loading agent">
          <Bar width="100%" height={420} />
        </div>
      </PageBody>
    </>
  )
}

function NoSuch() {
  return (
    <Empty
      whole
      title="Agent not found"
      action={
        <LinkButton to={paths.agents} search={{}}>
          Back to agents
        </LinkButton>
      }
    >
      It may have been permanently deleted, or it belongs to another team.
    </Empty>
  )
}
