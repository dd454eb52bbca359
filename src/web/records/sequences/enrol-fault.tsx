import { Button, Group, Stack, Text } from '@mantine/core'
import type { Sequence } from '#domains/sequences/contract.ts'
import { patterns } from '../../paths.ts'
import { inWords, isProblem } from '../../problem.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { takeFocus } from '../../ui/take-focus.ts'

type Props = { error: unknown; sequence: Sequence | null; back: () => void; close: () => void }

/** Why no lead could be enrolled, and a link to the sequence if that is the cause. */
export function EnrolFault({ error, sequence, back, close }: Props) {
  const isOfSequence = isProblem(error, 409) || isProblem(error, 422)
  return (
    <Stack gap="md">
      <Text role="alert">No leads were enrolled. {inWords(error)}</Text>
      {isOfSequence && (
        <Text c="dimmed">Fix it in the sequence, then enrol again. Nothing has been sent.</Text>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={back} ref={takeFocus}>
          Back
        </Button>
        {isOfSequence && sequence && (
          <LinkButton to={patterns.sequence} params={{ id: sequence.id }} search={{}} onClick={close}>
            Open {sequence.name}
          </LinkButton>
        )}
      </Group>
    </Stack>
  )
}
