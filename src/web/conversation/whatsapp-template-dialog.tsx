import { Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation, WhatsAppTemplate } from '#domains/conversations/contract.ts'
import { TEMPLATE_VALUE_LENGTH_MAX } from '#domains/conversations/values.ts'
import { inWords } from '../problem.ts'
import { addEntry } from '../records/conversations/conversation-writes.ts'
import { filledTemplate, whatsappTemplatesQuery } from '../records/conversations/whatsapp-templates.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import textClasses from '../ui/text.module.css'
import { MessageText } from './message-text.tsx'

type Props = { conversation: Conversation; close: () => void }

/** A template with its values, as it will be read. */
export function WhatsAppTemplateDialog({ conversation, close }: Props) {
  const { data: templates } = useQuery(whatsappTemplatesQuery)
  const [id, setId] = useState<string | null>(null)
  const [values, setValues] = useState<readonly string[]>([])
  const [fault, setFault] = useState<string>()
  const template = templates?.find(each => each.id === id)
  const isReady = template?.parameters.every((_, at) => values[at]?.trim())

  async function send() {
    if (!template || !isReady) return
    const { name, language, parameters } = template
    const given = parameters.map((_, at) => values[at]!.trim())
    const choice = { name, language, ...(given.length > 0 && { values: given }) }
    await addEntry(conversation, { kind: 'reply', channel: 'whatsapp', template: choice })
    close()
  }

  return (
    <FormDialog
      title="WhatsApp template"
      size={520}
      verb="Send"
      disabled={!isReady}
      act={send}
      refused={error => setFault(inWords(error))}
      fault={fault}
      close={close}
    >
      <Stack gap="md">
        {templates?.length === 0 ? (
          <p className={textClasses.meta}>
            Your team has no WhatsApp templates yet. An admin can sync them from WhatsApp or enter them.
          </p>
        ) : (
          <Select
            label="Template"
            searchable
            data-autofocus
            value={id}
            onChange={next => {
              setId(next)
              setValues([])
              setFault(undefined)
            }}
            data={(templates ?? []).map(each => ({ value: each.id, label: labelOf(each) }))}
          />
        )}
        {template?.parameters.map(({ part, name }, at) => (
          <TextInput
            key={`${template.id} ${part} ${name}`}
            label={/^\d+$/.test(name) ? `Value ${name}` : name.replaceAll('_', ' ')}
            {...(part === 'header' && { description: 'In the heading' })}
            value={values[at] ?? ''}
            maxLength={TEMPLATE_VALUE_LENGTH_MAX}
            onChange={event => {
              const { value } = event.currentTarget
              setValues(now =>
                template.parameters.map((_, each) => (each === at ? value : (now[each] ?? ''))),
              )
            }}
          />
        ))}
        {template && (
          <section aria-label="Preview">
            <MessageText text={filledTemplate(template, values)} />
          </section>
        )}
      </Stack>
    </FormDialog>
  )
}

function labelOf({ name, language }: WhatsAppTemplate): string {
  return `${name.replaceAll('_', ' ')} (${language})`
}
