import { Modal, Stack, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogEnd } from './dialog-end.tsx'
import { FocusBack } from './focus-back.ts'
import { useSubmit } from './use-submit.ts'

type Props = Pick<ModalProps, 'size' | 'yOffset'> & {
  title: string
  /** What the button does, by name: "Move the meeting". */
  verb: string
  /** Checks what was typed, does it, and closes the dialog. */
  act: () => unknown
  /** What to do with what `act` throws; without it a message says it. */
  refused?: (error: unknown) => unknown
  close: () => void
  children: ReactNode
}

/** A dialog that asks for something: its fields one below the other, and how it ends. */
export function FormDialog({ title, verb, act, refused, close, children, ...modal }: Props) {
  const { busy, submit } = useSubmit(act, refused)
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={title} {...modal}>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {children}
            <DialogEnd close={close} busy={busy}>
              {verb}
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
