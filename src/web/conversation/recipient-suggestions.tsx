import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent } from 'react'
import { api } from '../api.ts'
import { useCan } from '../queries.ts'
import type { Recipient } from '../records/conversations/recipients.ts'
import { leadName } from '../records/leads/fields.ts'
import textClasses from '../ui/text.module.css'
import classes from './email-fields.module.css'

const QUIET_MS = 160
const FOUND_MAX = 6
const TYPED_MIN = 2

/** Leads whose name or address fits what is being typed. */
export function useSuggestions(
  text: string,
  known: readonly Recipient[],
  add: (recipient: Recipient) => void,
) {
  const listId = useId()
  const canRead = useCan('leads:read')
  const typed = text.trim()
  const [q] = useDebouncedValue(typed, QUIET_MS)
  const [active, setActive] = useState(0)
  const [closedFor, setClosedFor] = useState('')
  const asks = canRead && typed.length >= TYPED_MIN && typed !== closedFor
  const found = useQuery({
    queryKey: ['found', 'leads', 'addresses', q],
    queryFn: ({ signal }) => api('GET /api/crm/leads', { query: { limit: FOUND_MAX, q }, signal }),
    placeholderData: keepPreviousData,
    enabled: asks && q.length >= TYPED_MIN,
  }).data
  const taken = new Set(known.map(({ address }) => address.toLowerCase()))
  const leads = asks ? (found?.data ?? []) : []
  const shown = leads.flatMap(lead =>
    lead.email && !taken.has(lead.email.toLowerCase()) && fits(`${leadName(lead)} ${lead.email}`, typed)
      ? [{ address: lead.email, name: leadName(lead) }]
      : [],
  )
  const at = Math.min(active, shown.length - 1)

  function close() {
    setClosedFor(typed)
    setActive(0)
  }
  function pick(recipient: Recipient) {
    setActive(0)
    add(recipient)
  }
  /** Whether the key was meant for the list. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (shown.length === 0 || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((at + step + shown.length) % shown.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(shown[at]!)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    // In a dialog, Escape would close it.
    event.stopPropagation()
    return true
  }
  const isOpen = shown.length > 0
  const aria = {
    role: 'combobox',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isOpen,
    ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` }),
  }
  return { shown, active: at, listId, pick, onKeyDown, aria }
}

type Props = Pick<ReturnType<typeof useSuggestions>, 'shown' | 'active' | 'listId' | 'pick'>

export function Suggestions({ shown, active, listId, pick }: Props) {
  if (shown.length === 0) return null
  return (
    <div className={classes.suggestions} id={listId} role="listbox" tabIndex={-1} aria-label="Leads">
      {shown.map((recipient, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field
        <div
          key={recipient.address}
          id={`${listId}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={classes.suggestion}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => pick(recipient)}
        >
          <span className={textClasses.cut} dir="auto">
            {recipient.name}
          </span>
          <span className={`${textClasses.meta} ${textClasses.cut}`}>{recipient.address}</span>
        </div>
      ))}
    </div>
  )
}

/** The answer to an earlier text is shown until the next one comes. */
function fits(words: string, typed: string): boolean {
  const all = words.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every(word => all.includes(word))
}
