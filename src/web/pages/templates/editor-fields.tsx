import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconBraces from 'icon:braces'
import { useRef, useState, type RefObject } from 'react'
import {
  BODY_LENGTH_MAX,
  SUBJECT_LENGTH_MAX,
  TEMPLATE_NAME_LENGTH_MAX,
  type TemplateFormat,
} from '#domains/templates/values.ts'
import type { FieldFault } from '../../problem.ts'
import { Picker } from '../../ui/picker.tsx'
import { placeholdersQuery } from '../../records/sequences/sequences-cache.ts'
import { placedFaults, type Fields } from './edits.ts'
import classes from './editor.module.css'

type Props = { fields: Fields; edit: (part: Partial<Fields>) => void; faults: FieldFault[] }
type TextField = HTMLInputElement | HTMLTextAreaElement

export function EditorFields({ fields, edit, faults }: Props) {
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  /** Where the caret was last: placeholders are inserted there. */
  const last = useRef<TextField>(null)
  const nameFault = faults.find(({ path }) => path === 'name')
  return (
    <section className={classes.fields} aria-label="Template">
      <TextInput
        label="Name"
        description="Sequences refer to the template by this name."
        value={fields.name}
        maxLength={TEMPLATE_NAME_LENGTH_MAX}
        error={nameFault && capital(nameFault.message)}
        onChange={event => edit({ name: event.currentTarget.value })}
      />
      <div>
        <TextInput
          ref={subject}
          label="Subject"
          placeholder="Reply to the previous email"
          description={
            fields.subject ? undefined : 'Without a subject, it is sent as a reply to the previous email.'
          }
          value={fields.subject}
          maxLength={SUBJECT_LENGTH_MAX}
          error={has(faults, 'subject')}
          onFocus={() => (last.current = subject.current)}
          onChange={event => edit({ subject: event.currentTarget.value })}
        />
        <Faults faults={faults} path="subject" text={fields.subject} field={subject} />
      </div>
      <div className={classes.writing}>
        <div className={classes.tools}>
          <PlaceholderMenu insert={text => insertInto(last.current ?? body.current, text)} />
          <SegmentedControl
            size="xs"
            aria-label="Format"
            value={fields.format}
            onChange={value => edit({ format: value as TemplateFormat })}
            data={[
              { value: 'markdown', label: 'Markdown' },
              { value: 'html', label: 'HTML' },
            ]}
          />
        </div>
        <Textarea
          ref={body}
          label="Text"
          value={fields.body}
          maxLength={BODY_LENGTH_MAX}
          error={has(faults, 'body')}
          classNames={{
            root: classes.bodyRoot ?? '',
            wrapper: classes.bodyWrapper ?? '',
            input: classes.body ?? '',
          }}
          data-format={fields.format}
          spellCheck={fields.format === 'markdown'}
          onFocus={() => (last.current = body.current)}
          onChange={event => edit({ body: event.currentTarget.value })}
        />
        <Faults faults={faults} path="body" text={fields.body} field={body} />
      </div>
    </section>
  )
}

function PlaceholderMenu({ insert }: { insert: (text: string) => void }) {
  const [open, setOpen] = useState(false)
  const placeholders = useQuery(placeholdersQuery).data ?? []
  const button = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconBraces size={16} />}
      aria-haspopup="listbox"
      aria-expanded={open}
      onClick={() => setOpen(true)}
    >
      Insert placeholder
    </Button>
  )
  if (!open) return button
  return (
    <Picker
      label="Insert placeholder"
      width={310}
      options={placeholders.map(({ name, label }) => ({
        value: name,
        label: `${label} ${name}`,
        node: (
          <span className={classes.placeholder}>
            {label} <code>{`{{${name}}}`}</code>
          </span>
        ),
      }))}
      chosen={[]}
      pick={name => {
        setOpen(false)
        insert(`{{${name}}}`)
      }}
      close={() => setOpen(false)}
    >
      {button}
    </Picker>
  )
}

type FaultsProps = {
  faults: FieldFault[]
  path: string
  text: string
  field: RefObject<TextField | null>
}

/** The errors in a text; each position is a button that moves the caret there. */
function Faults({ faults, path, text, field }: FaultsProps) {
  const placed = placedFaults(faults, path, text)
  if (placed.length === 0) return null
  return (
    <ul className={classes.faults} role="alert">
      {placed.map(({ message, at, place }) => (
        <li key={`${place} ${message}`}>
          {place !== undefined && at !== undefined && (
            <button type="button" onClick={() => putCaret(field.current, at, text)}>
              {capital(place)}
            </button>
          )}{' '}
          {capital(message)}
        </li>
      ))}
    </ul>
  )
}

/** Selects the faulty placeholder, up to where it seems to end. */
function putCaret(field: TextField | null, at: number, text: string): void {
  const end = text.indexOf('}}', at)
  field?.focus()
  field?.setSelectionRange(at, end < 0 ? at + 2 : end + 2)
}

/** At the caret, as if typed, so that Ctrl+Z undoes it. */
function insertInto(field: TextField | null, text: string): void {
  // The placeholder list must release the focus first.
  requestAnimationFrame(() => {
    field?.focus()
    document.execCommand('insertText', false, text)
  })
}

function has(faults: FieldFault[], path: string): boolean {
  return faults.some(fault => fault.path === path)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
