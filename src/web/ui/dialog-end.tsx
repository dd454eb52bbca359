import { Box, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type Ending = {
  /** The label of the button: "Book meeting". */
  verb: string
  close: () => void
  /** For actions that cannot be undone. */
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** Focuses the button first, where there is nothing to fill in. */
  focus?: 'cancel' | 'verb' | undefined
  /** Another button, at the other end. */
  beside?: ReactNode
}

/** The buttons of a dialog: cancel or submit. */
export function DialogEnd(props: Ending & { busy: boolean }) {
  const { verb, close, danger, disabled, focus, beside, busy } = props
  return (
    <Group justify="flex-end" gap="sm">
      {beside && <Box mr="auto">{beside}</Box>}
      <Button variant="default" onClick={close} data-autofocus={focus === 'cancel' || undefined}>
        Cancel
      </Button>
      <Button
        type="submit"
        loading={busy}
        disabled={disabled}
        data-autofocus={focus === 'verb' || undefined}
        {...(danger && { color: 'red' })}
      >
        {verb}
      </Button>
    </Group>
  )
}
