import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { FocusBack } from './focus-back.ts'
import { toastFault } from './toast.ts'

type Props = {
  title: string
  children: string
  /** What the button does, by name: "Revoke Zapier". */
  verb: string
  act: () => Promise<unknown>
  close: () => void
}

/** For what cannot be undone: says what will happen and names it on the button. */
export function Confirm({ title, children, verb, act, close }: Props) {
  const [busy, setBusy] = useState(false)
  async function go() {
    setBusy(true)
    try {
      await act()
      close()
    } catch (error) {
      toastFault(error)
      setBusy(false)
    }
  }
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={title} size="sm">
        <Text>{children}</Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={busy} onClick={() => void go()}>
            {verb}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
