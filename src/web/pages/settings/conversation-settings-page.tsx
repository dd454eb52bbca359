import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { useCan, useIsAtLeast } from '../../queries.ts'
import { conversationSettingsQuery } from '../../records/conversations/settings-cache.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { AnswerForm } from './answer-form.tsx'
import { SavedReplyList } from './saved-reply-list.tsx'
import classes from './outreach-settings.module.css'

/** How soon conversations are answered, and the texts to answer with. */
export function ConversationSettingsPage() {
  useTitle('Conversations')
  const editable = useIsAtLeast('ADMIN')
  const canWrite = useCan('conversations:write')
  const { data: settings, error, refetch } = useQuery(conversationSettingsQuery)
  return (
    <>
      <PageHead
        title="Conversations"
        actions={
          <LinkButton variant="default" to={paths.conversations} search={{}}>
            Inbox
          </LinkButton>
        }
      />
      <PageBody>
        <Section
          title="Saved replies"
          about="Texts to insert when you write a message, for everybody in the team."
        >
          <SavedReplyList editable={canWrite} />
        </Section>
        <Section
          title="Answer times and agent"
          about="Until when an answer is due, and which agent helps. Only open hours count; without any, every hour does. Messages that already wait keep their time."
        >
          {error && !settings && <Fault error={error} retry={() => void refetch()} />}
          {!settings && !error && (
            <div role="status" aria-busy aria-label="Loading settings" className={classes.waiting}>
              <Bar width="100%" height={420} />
            </div>
          )}
          {settings && !editable && <p>Only admins can change these settings.</p>}
          {settings && <AnswerForm settings={settings} editable={editable} />}
        </Section>
      </PageBody>
    </>
  )
}
