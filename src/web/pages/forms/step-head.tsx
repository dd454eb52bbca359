import { ActionIcon, TextInput } from '@mantine/core'
import IconX from 'icon:x'
import { messageAt, type DraftProblem } from './draft-problems.ts'
import type { Operation } from './operations.ts'
import classes from './builder.module.css'

type Props = {
  title: string
  step: number
  problems: readonly DraftProblem[]
  canWrite: boolean
  act: (operation: Operation) => void
}

/** The name of a step, edited in place. */
export function StepHead({ title, step, problems, canWrite, act }: Props) {
  if (!canWrite) return <h3 className={classes.stepTitle}>{title}</h3>
  return (
    <div className={classes.stepHead}>
      <TextInput
        size="xs"
        flex={1}
        miw={0}
        aria-label={`Name of step ${step + 1}`}
        value={title}
        maxLength={500}
        error={messageAt(problems, null, `step ${step}`)}
        onChange={event => act({ kind: 'rename_step', step, title: event.currentTarget.value })}
      />
      <ActionIcon
        size="sm"
        aria-label={`Remove step ${step + 1}, ${title}`}
        title="Remove step and keep its fields"
        onClick={() => act({ kind: 'remove_step', step })}
      >
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}
