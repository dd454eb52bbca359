import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import IconCheck from 'icon:check'
import IconCopy from 'icon:copy'
import classes from './copy-line.module.css'

type Props = { label: string; value: string; testId?: string; autofocus?: boolean }

const COPIED_MS = 3_000

/** A labelled value to copy. */
export function CopyLine({ label, value, testId, autofocus = false }: Props) {
  return (
    <div className={classes.line}>
      <span className={classes.label}>{label}</span>
      <code data-testid={testId}>{value}</code>
      <CopyButton what={label} value={value} autofocus={autofocus} />
    </div>
  )
}

type CopyProps = { what: string; value: string; autofocus?: boolean }

function CopyButton({ what, value, autofocus = false }: CopyProps) {
  const { words, Icon, copy } = useCopy(value)
  return (
    <Button
      size="xs"
      variant="default"
      flex="none"
      aria-label={`${words} ${what}`}
      data-autofocus={autofocus || undefined}
      leftSection={<Icon size={16} />}
      onClick={copy}
    >
      {words}
    </Button>
  )
}

/** The same as an icon, within text. */
export function CopyIcon({ what, value }: CopyProps) {
  const { words, Icon, copy } = useCopy(value)
  return (
    <Tooltip label={words}>
      <ActionIcon size="sm" aria-label={`${words} ${what}`} onClick={copy}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

function useCopy(value: string) {
  const { copied, error, copy } = useClipboard({ timeout: COPIED_MS })
  // On plain http there is no clipboard access; a click selects the whole text.
  const words = copied ? 'Copied' : error ? 'Copy manually' : 'Copy'
  return { words, Icon: copied ? IconCheck : IconCopy, copy: () => copy(value) }
}
