import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import IconFileUpload from 'icon:file-upload'
import { useRef, useState } from 'react'
import { inWords, isProblem, type FieldFault } from '../../problem.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { useBusy } from '../../ui/use-submit.ts'
import { asDraft, imported, type Imported } from '../../records/workflows/imported.ts'
import { createUnfinished, createWorkflow } from '../../records/workflows/workflow-writes.ts'
import textClasses from '../../ui/text.module.css'
import dropClasses from '../../ui/drop.module.css'
import classes from './workflows-page.module.css'

type Props = { open: (id: string) => void; close: () => void }

/** A workflow as JSON, from a file or pasted. Errors are listed with their paths. */
export function ImportWorkflow({ open, close }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const [faults, setFaults] = useState<FieldFault[]>([])
  const { busy, run } = useBusy(error => {
    const told = isProblem(error) ? error.errors : []
    setFaults(told)
    setFault(told.length > 0 ? undefined : inWords(error))
  })

  function put(next: string) {
    setText(next)
    setFault(undefined)
    setFaults([])
  }

  async function make(create: (workflow: Imported) => Promise<{ id: string }>) {
    const workflow = imported(text)
    if (typeof workflow === 'string') return setFault(workflow)
    const { id } = await create(workflow)
    close()
    open(id)
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Import workflow" size={620}>
        <form
          onSubmit={event => {
            event.preventDefault()
            run(() => make(createWorkflow))
          }}
          noValidate
        >
          <Stack gap="md">
            <Textarea
              label="JSON"
              description="An exported workflow, or JSON in API format. It becomes a draft."
              value={text}
              error={fault}
              rows={10}
              spellCheck={false}
              data-autofocus
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
              onChange={event => put(event.currentTarget.value)}
            />
            {faults.length > 0 && <Faults faults={faults} />}
            <input
              ref={input}
              type="file"
              accept=".json,application/json"
              className={dropClasses.file}
              aria-label="JSON file"
              tabIndex={-1}
              onChange={event => {
                const [file] = event.currentTarget.files ?? []
                void file?.text().then(put)
                // Allows choosing the same file again after fixing it.
                event.currentTarget.value = ''
              }}
            />
            <Group justify="flex-end" gap="sm">
              <Button
                variant="subtle"
                color="gray"
                mr="auto"
                leftSection={<IconFileUpload size={16} />}
                onClick={() => input.current?.click()}
              >
                Choose a file
              </Button>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              {faults.length > 0 && (
                <Button
                  variant="default"
                  disabled={busy}
                  onClick={() => run(() => make(workflow => createUnfinished(asDraft(workflow))))}
                >
                  Fix in builder
                </Button>
              )}
              <Button type="submit" loading={busy}>
                Import
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

function Faults({ faults }: { faults: FieldFault[] }) {
  return (
    <div role="alert" className={textClasses.bad}>
      This workflow has errors:
      {/* A region that scrolls must be reachable by keyboard. */}
      <ul className={classes.faults} tabIndex={0} aria-label="Errors">
        {faults.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
