import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconDots from 'icon:dots'
import IconExternalLink from 'icon:external-link'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { paths } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { deleteWidget } from '../../records/chat-widgets/widget-writes.ts'
import { chatWidgetsQuery } from '../../records/chat-widgets/widgets-cache.ts'
import { chatPagePath } from '../../records/chat-widgets/words.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { ButtonMenu } from '../../ui/menu.tsx'
import { PageBody, PageHead } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { toast } from '../../ui/toast.ts'
import { ChatSnippet } from './chat-snippet.tsx'
import { ChatWidgetForm } from './chat-widget-form.tsx'

export function ChatWidgetPage() {
  const { id } = useParams({ strict: false })
  const { data: widgets, error, refetch } = useQuery(chatWidgetsQuery)
  const widget = widgets?.find(each => each.id === id)
  if (widget) return <Shown key={widget.id} widget={widget} />
  if (widgets) return <NoSuchWidget />
  return (
    <>
      <Waiting />
      <PageHead title="Web chat" />
      <PageBody>
        {error ? (
          <Fault error={error} retry={() => void refetch()} />
        ) : (
          <div role="status" aria-busy aria-label="Loading chat widget">
            <Bar width="100%" height={560} />
          </div>
        )}
      </PageBody>
    </>
  )
}

function Shown({ widget }: { widget: ChatWidget }) {
  const { id, name } = widget
  useTitle(name)
  const navigate = useNavigate()
  const editable = useIsAtLeast('ADMIN')
  const [isLeaving, setIsLeaving] = useState(false)

  async function remove() {
    await deleteWidget(id)
    await navigate({ to: paths.chatWidgets })
    toast(`Deleted ${name}`)
  }

  return (
    <>
      <PageHead
        title={name}
        record
        actions={
          <>
            <LinkButton
              variant="subtle"
              color="gray"
              to={paths.chatWidgets}
              leftSection={<IconArrowLeft size={16} />}
              visibleFrom="sm"
            >
              Web chat
            </LinkButton>
            <Button
              component="a"
              variant="default"
              href={chatPagePath(widget)}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} />}
            >
              Open its page
            </Button>
            {editable && (
              <ButtonMenu
                button={
                  <ActionIcon aria-label={`More actions for ${name}`}>
                    <IconDots size={18} aria-hidden />
                  </ActionIcon>
                }
                items={[
                  {
                    label: 'Delete…',
                    icon: <IconTrash size={16} />,
                    run: () => setIsLeaving(true),
                    danger: true,
                  },
                ]}
              />
            )}
          </>
        }
      />
      <PageBody>
        <ChatSnippet widget={widget} />
        <ChatWidgetForm widget={widget} editable={editable} />
      </PageBody>
      {isLeaving && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete chat widget"
          act={remove}
          close={() => setIsLeaving(false)}
        >
          It disappears from your websites, and visitors can no longer write in it. Conversations stay in the
          inbox. This cannot be undone.
        </Confirm>
      )}
    </>
  )
}

function NoSuchWidget() {
  useTitle('Web chat')
  return (
    <Empty
      whole
      title="Chat widget not found"
      action={
        <LinkButton variant="default" to={paths.chatWidgets}>
          Web chat
        </LinkButton>
      }
    >
      It may have been deleted, or belong to another team.
    </Empty>
  )
}

function Waiting() {
  useTitle('Web chat')
  return null
}
