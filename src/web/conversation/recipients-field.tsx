import { ActionIcon } from '@mantine/core'
import IconAlertCircle from 'icon:alert-circle'
import IconX from 'icon:x'
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { COPIES_MAX } from '#domains/conversations/values.ts'
import {
  isEmail,
  longName,
  parseRecipients,
  shortName,
  withRecipients,
  without,
  type Recipient,
} from '../records/conversations/recipients.ts'
import { plural } from '../ui/words.ts'
import { Suggestions, useSuggestions } from './recipient-suggestions.tsx'
import textClasses from '../ui/text.module.css'
import classes from './email-fields.module.css'

type Props = {
  label: 'To' | 'Cc' | 'Bcc'
  value: readonly Recipient[]
  set: (value: Recipient[]) => void
  disabled: boolean
  /** It was just asked for, and takes the focus. */
  begun?: () => void
  /** A dialog begins here. */
  isFirst?: true
  max?: number
  /** What is wrong with them. */
  fault?: string | undefined
  /** At the end of the row. */
  children?: ReactNode
}

/** Addresses as chips. They are typed or pasted; what is none is marked, and can be fixed. */
export function RecipientsField(props: Props) {
  const { label, value, set, disabled, begun, max = COPIES_MAX, fault, isFirst, children } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    if (!begun) return
    field.current?.focus()
    begun()
  }, [begun])

  function add(typed: string) {
    const next = withRecipients(value, parseRecipients(typed)).slice(0, max)
    setIsFull(next.length === max && parseRecipients(typed).length + value.length > max)
    if (next.length > value.length) set(next)
    setText('')
  }
  function remove(address: string) {
    setIsFull(false)
    set(without(value, address))
    field.current?.focus()
  }
  function edit(recipient: Recipient) {
    // What was being typed becomes a chip.
    set(withRecipients(without(value, recipient.address), parseRecipients(text)).slice(0, max))
    setText(longName(recipient))
    field.current?.focus()
  }
  const suggestions = useSuggestions(text, value, ({ address, name }) => {
    const next = withRecipients(value, [{ address, name }])
    setIsFull(next.length > max)
    set(next.slice(0, max))
    setText('')
  })
  function onKeyDown(event: KeyboardEvent) {
    if (suggestions.onKeyDown(event)) return
    const isDone = isEmail(text.trim()) || text.trimEnd().endsWith('>')
    const ends =
      event.key === 'Enter' || event.key === ',' || event.key === ';' || (event.key === ' ' && isDone)
    if (ends && !event.nativeEvent.isComposing) {
      // In a name in quotes, a comma is a comma.
      if (event.key === ',' && /^\s*"[^"]*$/.test(text)) return
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      event.preventDefault()
      edit(value.at(-1)!)
    } else if (event.key === 'Escape') field.current?.blur()
  }
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain')
    if (!parseRecipients(pasted).some(({ address }) => isEmail(address))) return
    event.preventDefault()
    add(`${text}${pasted}`)
  }

  const told = fault ?? (isFull ? `${label} can have ${plural(max, 'address', 'addresses')}.` : undefined)
  return (
    <div className={classes.row} data-recipients>
      <label className={classes.name} htmlFor={id}>
        {label}
      </label>
      <div className={classes.chips}>
        {value.length > 0 && (
          <ul className={classes.list} aria-label={`${label} addresses`}>
            {value.map(recipient => (
              <Chip
                key={recipient.address}
                recipient={recipient}
                disabled={disabled}
                edit={() => edit(recipient)}
                remove={() => remove(recipient.address)}
              />
            ))}
          </ul>
        )}
        <input
          className={classes.typed}
          data-empty={(text === '' && value.length > 0) || undefined}
          ref={field}
          id={id}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholderOf(value, max)}
          aria-describedby={told ? `${id}-told` : undefined}
          aria-invalid={fault !== undefined || undefined}
          data-autofocus={isFirst}
          readOnly={disabled}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => add(text)}
          {...suggestions.aria}
        />
      </div>
      <Suggestions {...suggestions} />
      {children}
      {told && (
        <p id={`${id}-told`} className={classes.full} role="alert">
          {told}
        </p>
      )}
    </div>
  )
}

function placeholderOf(value: readonly Recipient[], max: number): string | undefined {
  if (value.length > 0) return undefined
  return max === 1 ? 'Email address' : 'Email addresses'
}

type ChipProps = { recipient: Recipient; disabled: boolean; edit: () => void; remove: () => void }

function Chip({ recipient, disabled, edit, remove }: ChipProps) {
  const isRight = isEmail(recipient.address)
  const name = shortName(recipient)
  return (
    <li className={classes.chip} data-wrong={!isRight || undefined}>
      {!isRight && <IconAlertCircle size={13} aria-hidden />}
      <button
        type="button"
        className={`${textClasses.cut} ${classes.chipText}`}
        title={isRight ? longName(recipient) : `${recipient.address} is not an email address`}
        disabled={disabled}
        {...(!isRight && { 'aria-label': `${name}, not an email address` })}
        aria-keyshortcuts="Enter Delete"
        onClick={edit}
        onKeyDown={event => {
          if (event.key === 'Delete' || event.key === 'Backspace') remove()
        }}
      >
        {name}
      </button>
      <ActionIcon
        size="sm"
        className={classes.chipRemove}
        aria-label={`Remove ${name}`}
        // Keys remove a chip by Delete.
        tabIndex={-1}
        disabled={disabled}
        onClick={remove}
      >
        <IconX size={12} />
      </ActionIcon>
    </li>
  )
}
