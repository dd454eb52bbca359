import { Modal, Stack, Text, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogEnd, type Ending } from './dialog-end.tsx'
import { FocusBack } from './focus-back.ts'
import { useSubmit, type Refused } from './use-submit.ts'

type Props = Ending &
  Pick<ModalProps, 'size' | 'yOffset' | 'classNames'> & {
    title: string
    /** Validates, submits, and closes the dialog. */
    act: () => unknown
    /** Handles what `act` throws; by default a toast. */
    refused?: Refused
    /** An error of no particular field. */
    fault?: ReactNode
    children: ReactNode
  }

/** A dialog with a form: its fields and buttons. */
export function FormDialog({ title, act, refused, fault, children, ...rest }: Props) {
  const { verb, close, danger, disabled, focus, beside, ...modal } = rest
  const { busy, submit } = useSubmit(act, refused)
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={title} {...modal}>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {children}
            {fault && <DialogFault>{fault}</DialogFault>}
            <DialogEnd {...{ verb, close, danger, disabled, focus, beside, busy }} />
          </Stack>
        </form>
      </Modal>
    </>
  )
}

export function DialogFault({ children }: { children: ReactNode }) {
  return (
    <Text role="alert" c="var(--mantine-color-error)">
      {children}
    </Text>
  )
}
