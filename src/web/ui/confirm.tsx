import { Text } from '@mantine/core'
import { FormDialog } from './form-dialog.tsx'

type Props = {
  title: string
  children: string
  /** What the button does, by name: "Revoke Zapier". */
  verb: string
  act: () => Promise<unknown>
  close: () => void
}

/** Confirms what cannot be undone; the button names the action. */
export function Confirm({ title, children, verb, act, close }: Props) {
  async function go() {
    await act()
    close()
  }
  return (
    <FormDialog title={title} size="sm" verb={verb} danger focus="cancel" act={go} close={close}>
      <Text>{children}</Text>
    </FormDialog>
  )
}
