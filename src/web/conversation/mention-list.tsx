import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Member } from '#domains/identity/contract.ts'
import { typedMention } from '../records/conversations/text-parts.ts'
import { mentionName } from '../records/conversations/words.ts'
import { useMembers, useUser } from '../queries.ts'
import { Person } from '../ui/person.tsx'
import classes from './composer.module.css'

const SHOWN_MAX = 6

/** The members that fit what is being typed behind an @. */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  enabled: boolean,
  insert: (words: string, from: number) => void,
) {
  const listId = useId()
  const me = useUser().id
  const members = useMembers()
  const [place, setPlace] = useState<{ at: number; typed: string }>()
  const [active, setActive] = useState(0)
  const typed = enabled ? place?.typed : undefined
  const shown = typed === undefined ? [] : matching(members, typed, me)
  const isOpen = shown.length > 0

  function look({ value, selectionStart }: HTMLTextAreaElement) {
    setPlace(enabled ? typedMention(value, selectionStart) : undefined)
    setActive(0)
  }
  function close() {
    setPlace(undefined)
  }
  function pick(member: Member) {
    if (place) insert(`@${mentionName(member)} `, place.at)
    close()
    field.current?.focus()
  }
  /** Whether the key was meant for the list. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!isOpen || event.ctrlKey || event.metaKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive(now => (now + step + shown.length) % shown.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(shown[active]!)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    return true
  }
  const aria = isOpen
    ? {
        'aria-autocomplete': 'list' as const,
        'aria-controls': listId,
        'aria-activedescendant': `${listId}-${active}`,
      }
    : {}
  return { typed: isOpen ? typed : undefined, shown, active, listId, pick, onKeyDown, look, close, aria }
}

type Props = Pick<ReturnType<typeof useMentions>, 'shown' | 'active' | 'listId' | 'pick'>

export function MentionList({ shown, active, listId, pick }: Props) {
  return (
    <div className={classes.mentions} id={listId} role="listbox" tabIndex={-1} aria-label="Mention">
      {shown.map((member, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field
        <div
          key={member.id}
          id={`${listId}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={classes.mention}
          // The field keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => pick(member)}
        >
          <Person member={member} />
        </div>
      ))}
    </div>
  )
}

/** Those whose first or last name begins so. Nobody mentions themselves. */
function matching(members: readonly Member[], typed: string, me: string): Member[] {
  const start = typed.toLowerCase()
  const fits = (member: Member) => {
    const name = mentionName(member).toLowerCase()
    return (
      name !== start && (name.startsWith(start) || name.split(/\s+/).some(part => part.startsWith(start)))
    )
  }
  return members.filter(member => member.id !== me && fits(member)).slice(0, SHOWN_MAX)
}
