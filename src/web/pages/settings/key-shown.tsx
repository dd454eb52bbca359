import { Button, Group, Modal, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import IconCheck from 'icon:check'
import IconCopy from 'icon:copy'
import copyLineClasses from '../../ui/copy-line.module.css'

/** Closes only by its button: a click outside must not lose a key that is never shown again. */
export function KeyShown({ name, value, close }: { name: string; value: string; close: () => void }) {
  const clipboard = useClipboard({ timeout: 3_000 })
  return (
    <Modal
      opened
      onClose={close}
      title={`API key ${name}`}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Text>Copy it now and store it securely. It won't be shown again.</Text>
      <div className={copyLineClasses.box}>
        <code data-testid="api-key">{value}</code>
        <Button
          size="xs"
          variant="default"
          data-autofocus
          leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => clipboard.copy(value)}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>I have copied it</Button>
      </Group>
    </Modal>
  )
}
