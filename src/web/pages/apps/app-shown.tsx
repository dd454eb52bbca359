import { Button, Group, Modal, Text } from '@mantine/core'
import type { NewClient } from '#domains/oauth/contract.ts'
import { Addresses } from './addresses.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'
import classes from './apps.module.css'
import copy from '../../ui/copy-line.module.css'

/** Closed only by its own button as long as it holds a secret: a click beside it must not lose what is never shown again. */
export function AppShown({ app, close }: { app: NewClient; close: () => void }) {
  const { name, id, client_secret: secret } = app
  const holdsSecret = secret !== null
  return (
    <Modal
      opened
      onClose={close}
      title={`The app ${name}`}
      size={620}
      yOffset="5vh"
      closeOnClickOutside={!holdsSecret}
      closeOnEscape={!holdsSecret}
      withCloseButton={!holdsSecret}
    >
      <Text>
        {holdsSecret
          ? 'Copy the secret now and keep it where secrets are kept. It is not shown again.'
          : 'A public app has no secret: it proves itself by PKCE. Its client ID can be read here at any time.'}
      </Text>
      <div className={copy.lines}>
        <CopyLine label="Client ID" value={id} testId="client-id" autofocus={!holdsSecret} />
        {holdsSecret && <CopyLine label="Client secret" value={secret} testId="client-secret" autofocus />}
      </div>
      <h3 className={classes.dialogHeading}>Where the app asks</h3>
      <Addresses />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>{holdsSecret ? 'I have copied it' : 'Done'}</Button>
      </Group>
    </Modal>
  )
}
