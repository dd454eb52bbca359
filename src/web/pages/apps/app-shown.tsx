import { Button, Group, Modal, Text } from '@mantine/core'
import type { NewClient } from '#domains/oauth/contract.ts'
import { Addresses } from './addresses.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'
import classes from './apps.module.css'
import copy from '../../ui/copy-line.module.css'

/** With a secret, closes only by its button: a click outside must not lose what is never shown again. */
export function AppShown({ app, close }: { app: NewClient; close: () => void }) {
  const { name, id, client_secret: secret } = app
  const holdsSecret = secret !== null
  return (
    <Modal
      opened
      onClose={close}
      title={`Credentials for ${name}`}
      size={620}
      yOffset="5vh"
      closeOnClickOutside={!holdsSecret}
      closeOnEscape={!holdsSecret}
      withCloseButton={!holdsSecret}
    >
      <Text>
        {holdsSecret
          ? "Copy the secret now and store it securely. It won't be shown again."
          : 'Public apps have no secret and use PKCE instead. You can find the client ID here at any time.'}
      </Text>
      <div className={copy.lines}>
        <CopyLine label="Client ID" value={id} testId="client-id" autofocus={!holdsSecret} />
        {holdsSecret && <CopyLine label="Client secret" value={secret} testId="client-secret" autofocus />}
      </div>
      <h3 className={classes.dialogHeading}>OAuth endpoints</h3>
      <Addresses />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>{holdsSecret ? 'I have copied it' : 'Done'}</Button>
      </Group>
    </Modal>
  )
}
