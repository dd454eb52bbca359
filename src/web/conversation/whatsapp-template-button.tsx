import { ActionIcon, Button } from '@mantine/core'
import IconForms from 'icon:forms'
import { lazy, Suspense, useState } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'

const WhatsAppTemplateDialog = lazy(() =>
  import('./whatsapp-template-dialog.tsx').then(({ WhatsAppTemplateDialog }) => ({
    default: WhatsAppTemplateDialog,
  })),
)

type Props = {
  conversation: Conversation
  /** Nothing else can be sent by WhatsApp now. */
  isNeeded: boolean
}

/** Chooses a WhatsApp template, which may be sent at any time. */
export function WhatsAppTemplateButton({ conversation, isNeeded }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  return (
    <>
      {isNeeded ? (
        <Button size="compact-sm" variant="default" onClick={open}>
          Choose a template
        </Button>
      ) : (
        <ActionIcon aria-label="WhatsApp template" title="WhatsApp template" onClick={open}>
          <IconForms size={18} />
        </ActionIcon>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <WhatsAppTemplateDialog conversation={conversation} close={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
