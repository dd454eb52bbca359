import { Button, Group } from '@mantine/core'
import IconTrash from 'icon:trash'
import type { paths } from '../paths.ts'
import { LinkButton } from './link-button.tsx'
import { Empty } from './states.tsx'
import { useSubmit } from './use-submit.ts'

type Props = {
  /** What it is: "form". */
  noun: string
  /** The list of its kind. */
  list:
    | typeof paths.accounts
    | typeof paths.forms
    | typeof paths.sequences
    | typeof paths.workflows
    | typeof paths.agents
    | typeof paths.candidates
  /** Absent for viewers. */
  restore: (() => Promise<unknown>) | undefined
  children: string
}

/** The page of a record in the trash. */
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
