import { Link } from '@tanstack/react-router'
import IconPhoneIncoming from 'icon:phone-incoming'
import IconPhoneOutgoing from 'icon:phone-outgoing'
import type { ConversationEntry } from '#domains/conversations/contract.ts'
import { patterns } from '../paths.ts'
import { durationInWords, statusWords } from '../records/calls/words.ts'
import { At, Line } from './entry-parts.tsx'
import { MessageText } from './message-text.tsx'
import textClasses from '../ui/text.module.css'
import classes from './entry.module.css'

/** A call between two messages. */
export function CallEntry({ entry }: { entry: ConversationEntry }) {
  const { call, text, direction, at, id, author } = entry
  if (!call) return null
  const { status, duration_sec, outcome } = call
  const who = author.name ?? (author.kind === 'agent' ? 'AI agent' : 'Somebody')
  const took = duration_sec ? `, ${durationInWords(duration_sec)}` : ''
  const Shape = direction === 'in' ? IconPhoneIncoming : IconPhoneOutgoing
  return (
    <Line sign={<Shape size={15} aria-hidden />}>
      <article className={classes.plain} aria-label="Call">
        <header className={classes.cardHead}>
          <span>
            <b className={classes.author}>{who}</b> called{took}
            {author.kind === 'agent' && author.name && (
              <span className={`${textClasses.chip} ${classes.agent}`}>AI agent</span>
            )}
          </span>
          <At at={at} />
        </header>
        {text && <MessageText text={text} />}
        <p className={classes.callFoot}>
          <Link to={patterns.call} params={{ id }}>
            Open call
          </Link>
          <span>{outcome ? `Outcome: ${outcome}` : statusWords[status].label}</span>
        </p>
      </article>
    </Line>
  )
}
