import { Button, Group } from '@mantine/core'
import IconTrash from 'icon:trash'
import type { paths } from '../paths.ts'
import { LinkButton } from './link-button.tsx'
import { Empty } from './states.tsx'
import { useSubmit } from './use-submit.ts'

type Props = {
  /** What it is: "form". */
  noun: string
  /** Where the others of its kind are. */
  list:
    | typeof paths.accounts
    | typeof paths.forms
    | typeof paths.sequences
    | typeof paths.workflows
    | typeof paths.agents
    | typeof paths.candidates
  /** Absent for those who only read. */
  restore: (() => Promise<unknown>) | undefined
  children: string
}

/** The page of something that was thrown away, and the way back. */
export function InTrash({ noun, list, restore, children }: Props) {
  const { busy, submit } = useSubmit(() => restore?.(), "Couldn't restore")
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title={`This ${noun} is in the trash`}
      action={
        <Group gap="sm">
          {restore && (
            <Button loading={busy} onClick={submit}>
              Restore
            </Button>
          )}
          <LinkButton variant="default" to={list} search={{}}>
            Back to {noun}s
          </LinkButton>
        </Group>
      }
    >
      {children}
    </Empty>
  )
}
