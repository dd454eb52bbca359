import { Button, FileButton, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { asDraft, imported } from '../records/workflows/imported.ts'
import { FocusBack } from '../ui/focus-back.ts'
import { toastWithUndo } from '../ui/toast.ts'
import type { WorkflowDraft } from './draft.ts'
import { asNodes } from './tree.ts'

type Props = { draft: WorkflowDraft; close: () => void }

/** What somebody exported, or wrote for the API, in place of what is being worked at. */
export function ImportDialog({ draft, close }: Props) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()

  function take() {
    const found = imported(text)
    if (typeof found === 'string') return setFault(found)
    const before = draft.state.get().history.now
    const { trigger, filters, once_per_lead, nodes } = asDraft(found)
    draft.edit(content => ({ ...content, trigger, filters, once_per_lead, nodes: asNodes(nodes) }))
    toastWithUndo('Took over the workflow; nothing is published yet', async () => draft.edit(() => before))
    close()
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Import JSON into the draft" size={560}>
        <Textarea
          label="Workflow"
          description="It takes the place of all steps that are here now. Undo brings them back."
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
