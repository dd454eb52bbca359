import { Button, FileButton, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { asDraft, imported } from '../records/workflows/imported.ts'
import { FocusBack } from '../ui/focus-back.ts'
import { toastWithUndo } from '../ui/toast.ts'
import type { WorkflowDraft } from './draft.ts'
import { asNodes } from './tree.ts'

type Props = { draft: WorkflowDraft; close: () => void }

/** Replaces the draft with an exported workflow, or one written for the API. */
export function ImportDialog({ draft, close }: Props) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()

  function take() {
    const found = imported(text)
    if (typeof found === 'string') return setFault(found)
    const before = draft.state.get().history.now
    const { trigger, filters, once_per_lead, nodes } = asDraft(found)
    draft.edit(content => ({ ...content, trigger, filters, once_per_lead, nodes: asNodes(nodes) }))
    toastWithUndo('Workflow imported as a draft', async () => draft.edit(() => before))
    close()
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Import JSON" size={560}>
        <Textarea
          label="JSON"
          description="Replaces the trigger and all steps. You can undo this."
          rows={12}
          value={text}
          error={fault}
          data-autofocus
          onChange={event => {
            setText(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <Group justify="flex-end" mt="md" gap="sm">
          <FileButton accept="application/json,.json" onChange={file => void file?.text().then(setText)}>
            {props => (
              <Button variant="default" {...props}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Button onClick={take}>Import</Button>
        </Group>
      </Modal>
    </>
  )
}
