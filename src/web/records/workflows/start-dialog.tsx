import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Started, Workflow } from '#domains/workflows/contract.ts'
import { inWords } from '../../problem.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { DialogFault } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { count, plural } from '../../ui/words.ts'
import { useLeadName } from '../leads/lead-link.tsx'
import { leadList } from '../leads/cache.ts'
import { EnrolWho } from '../sequences/enrol-who.tsx'
import type { Who } from '../sequences/enrolling.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { WorkflowSelect } from './workflow-select.tsx'
import { startWorkflow } from './workflow-writes.ts'

type Props = {
  /** Absent: the person chooses. */
  workflow?: Workflow
  /** The leads; absent: the person chooses. */
  who?: Who
  /** Describes them. */
  whoInWords?: string
  close: () => void
}

/** Starts a workflow manually for chosen leads, after a confirmation. */
export function StartDialog({ workflow: given, who: givenWho, whoInWords, close }: Props) {
  const [workflow, setWorkflow] = useState<Workflow | null>(given ?? null)
  const [who, setWho] = useState<Who | null>(givenWho ?? null)
  const [isSure, setIsSure] = useState(false)
  const [fault, setFault] = useState<string>()
  const amount = useAmount(who)
  const whom = whoInWords ?? amount?.words
  const isChosen = workflow !== null && who !== null

  async function start() {
    if (!isChosen) return
    toast(startedInWords(workflow.name, await startWorkflow(workflow.id, who)))
    close()
  }
  const { busy, submit } = useSubmit(start, error => setFault(inWords(error)))

  return (
    <>
      <FocusBack />
      <Modal
        opened
        onClose={close}
        title={given ? `Start ${given.name} manually` : 'Run workflow'}
        size={520}
      >
        <Stack gap="md">
          {!isSure ? (
            <>
              {whoInWords && <Text>For {whoInWords}</Text>}
              {!given && <WorkflowSelect chosen={workflow} choose={setWorkflow} />}
              {!givenWho && <EnrolWho who={who} choose={setWho} label="Choose a lead" />}
            </>
          ) : (
            <Text role="status">
              {workflow?.name} starts now for {whom}, regardless of its trigger. Messages it sends cannot be
              undone.
              {workflow?.once_per_lead && ' Leads that already ran through it are skipped.'}
            </Text>
          )}
          {fault && <DialogFault>{fault}</DialogFault>}
          <Group justify="flex-end" gap="sm">
            {isSure ? (
              <>
                <Button variant="default" onClick={() => setIsSure(false)}>
                  Back
                </Button>
                <Button loading={busy} onClick={submit} ref={takeFocus}>
                  Start for {whom}
                </Button>
              </>
            ) : (
              <>
                <Button variant="default" onClick={close}>
                  Cancel
                </Button>
                <Button disabled={!isChosen || !whom || amount?.none} onClick={() => setIsSure(true)}>
                  Continue
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** From the page of a lead. */
export function StartForLead({ id, close }: { id: string; close: () => void }) {
  const name = useLeadName(id)
  const [who] = useState(() => ({ ids: [id] }))
  return <StartDialog who={who} whoInWords={name ?? 'this lead'} close={close} />
}

/** The number of leads, once known. */
function useAmount(who: Who | null): { words: string; none: boolean } | undefined {
  const search = who && 'search' in who ? who.search : undefined
  const { data } = useQuery({ ...leadList.listQuery(search ?? {}), enabled: search !== undefined })
  if (who && 'ids' in who) return { words: plural(who.ids.length, 'lead'), none: false }
  if (!search || !data) return undefined
  const words = data.capped ? `${count(data.count)}+ leads` : plural(data.count, 'lead')
  return { words, none: data.count === 0 }
}

function startedInWords(name: string, started: Started | { matching: number }): string {
  if ('matching' in started) return `Starting ${name} for ${plural(started.matching, 'lead')}`
  const { runs, passed_over } = started
  const passed = passed_over > 0 ? `, ${plural(passed_over, 'lead')} skipped` : ''
  return `Started ${name} for ${plural(runs, 'lead')}${passed}`
}
