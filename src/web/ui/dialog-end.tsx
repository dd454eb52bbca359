import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { close: () => void; busy: boolean; children: ReactNode }

/** How a dialog with a form ends: left as it is, or done. */
export function DialogEnd({ close, busy, children }: Props) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" loading={busy}>
        {children}
      </Button>
    </Group>
  )
}
