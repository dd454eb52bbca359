import { Box, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

export type Ending = {
  /** What the button does, by name: "Move the meeting". */
  verb: string
  close: () => void
  /** For what cannot be undone. */
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** The button that has the focus first, where nothing is to be filled in. */
  focus?: 'cancel' | 'verb' | undefined
  /** Another button, at the other end. */
  beside?: ReactNode
}

/** How a dialog with a form ends: left as it is, or done. */
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
