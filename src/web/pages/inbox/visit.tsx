import type { ReactNode } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { ChatPresence } from '../../conversation/chat-presence.tsx'
import { useVisit } from '../../records/conversations/visits.ts'
import { Time } from '../../ui/time.tsx'
import textClasses from '../../ui/text.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './rail.module.css'

/** How somebody came to chat, and what they answered before. All of it is what their browser says. */
export function Visit({ conversation }: { conversation: Conversation }) {
  const visit = useVisit(conversation)
  if (!visit) return null
  const { page, first_page, referrer, utm, answers, widget, is_here, last_seen_at } = visit
  const campaign = Object.values(utm).filter(Boolean).join(' / ')
  return (
    <section className={classes.group} aria-label="Visit">
      <h2 className={classes.heading}>Visit</h2>
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        <Fact name="Visitor">
          <ChatPresence conversation={conversation} />
          {!is_here && (
            <span className={textClasses.under}>
              Last seen <Time at={last_seen_at} />
            </span>
          )}
        </Fact>
        {Object.entries(answers).map(([question, answer]) => (
          <Fact key={question} name={question}>
            {answer}
          </Fact>
        ))}
        {page && (
          <Fact name="Page">
            <Address text={page} />
          </Fact>
        )}
        {first_page && first_page !== page && (
          <Fact name="First page">
            <Address text={first_page} />
          </Fact>
        )}
        {referrer && (
          <Fact name="Came from">
            <Address text={referrer} />
          </Fact>
        )}
        {campaign && <Fact name="Campaign">{campaign}</Fact>}
        <Fact name="Widget">{widget}</Fact>
      </dl>
    </section>
  )
}

/** Without what is the same in all of them. It is followed only if it leads to the web. */
function Address({ text }: { text: string }) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return <>{text}</>
  return (
    <a href={url.href} title={text} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
      {url.host + (url.pathname === '/' ? '' : url.pathname)}
    </a>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  )
}
