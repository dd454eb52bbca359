import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconSparkles from 'icon:sparkles'
import { api } from '../api.ts'
import { useCan } from '../queries.ts'
import { agentDraftQuery } from '../records/conversations/conversations-cache.ts'
import { refreshConversation } from '../records/conversations/refresh.ts'
import { toastFault } from '../ui/toast.ts'
import classes from './agent-draft.module.css'

type Props = { id: string; use: (text: string) => void }

/** What the agent of the conversation proposes to answer, whole. It is sent by nobody but a person. */
export function AgentDraft({ id, use }: Props) {
  const canWrite = useCan('conversations:write')
  const { data: draft } = useQuery(agentDraftQuery(id))
  if (!draft?.text || !draft.agent) return null
  const { text, agent, sources, fell_back } = draft
  const from = sources.map(({ name }) => name).join(', ')
  async function discard() {
    try {
      await api('DELETE /api/conversations/:id/draft', { params: { id } })
    } catch (error) {
      toastFault(error, "Couldn't discard the draft")
    }
    void refreshConversation(id)
  }
  return (
    <section className={classes.draft} aria-label={`Draft by ${agent.name}`}>
      <h3 className={classes.title}>
        <IconSparkles size={15} aria-hidden /> Draft by {agent.name}
      </h3>
      <p className={classes.text}>{text}</p>
      <p className={classes.from}>
        {from && `From ${from}. `}
        {fell_back}
      </p>
      {canWrite && (
        <div className={classes.acts}>
          <Button size="compact-sm" variant="default" onClick={() => use(text)}>
            Use draft
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void discard()}>
            Discard
          </Button>
        </div>
      )}
    </section>
  )
}
