import type { ReactNode } from 'react'
import type { OutreachSettings } from '#domains/messages/contract.ts'
import { Dotted } from '../../ui/stage.tsx'
import rowsClasses from '../../ui/rows.module.css'
import classes from './outreach-settings.module.css'

type Told = { name: string; tone: string; state: string; about: ReactNode; how: ReactNode }

/** What reaches the world and what does not, each with the variables that change it. */
export function OutreachConnections({ settings }: { settings: OutreachSettings }) {
  return (
    <ul className={`${rowsClasses.rows} ${classes.connections}`}>
      {connections(settings).map(({ name, tone, state, about, how }) => (
        <li key={name}>
          <div className={classes.connection}>
            <h3>{name}</h3>
            <Dotted tone={tone}>{state}</Dotted>
          </div>
          <p>{about}</p>
          <p className={classes.about}>{how}</p>
        </li>
      ))}
    </ul>
  )
}

function connections({ mail, sms, replies, writer, from }: OutreachSettings): Told[] {
  return [
    {
      name: 'Mail',
      ...(mail === 'smtp'
        ? { tone: 'green', state: 'Connected', about: <>Mails go out by SMTP, from {from}.</> }
        : {
            tone: 'amber',
            state: 'Not connected',
            about:
              'Nobody receives the mails: they are kept on this server, so that everything can be tried.',
          }),
      how: (
        <>
          <V>SMTP_URL</V> like <code>smtps://user:password@host</code>, and <V>EMAIL_FROM</V> for the sender.{' '}
          With <V>DKIM_DOMAIN</V> and its two companions the mails are signed where your mail server does not
          do it.
        </>
      ),
    },
    {
      name: 'Text messages',
      ...(sms === 'twilio'
        ? { tone: 'green', state: 'Connected', about: 'Text messages go out by Twilio.' }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'Nobody receives the text messages: they are kept on this server.',
          }),
      how: (
        <>
          <V>TWILIO_ACCOUNT_SID</V>, its token, and <V>TWILIO_FROM</V>. Answers and STOP come back to{' '}
          <code>{location.origin}/api/sms/twilio</code>.
        </>
      ),
    },
    {
      name: 'Replies',
      ...(replies === 'imap'
        ? {
            tone: 'green',
            state: 'Connected',
            about: 'A mailbox is read: who answers is not written to by their sequence any more.',
          }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'Nobody reads the mailbox: a sequence does not notice when somebody answers.',
          }),
      how: (
        <>
          <V>IMAP_URL</V> like <code>imaps://user:password@host/INBOX</code>, the mailbox that replies and
          bounces come to.
        </>
      ),
    },
    {
      name: 'Icebreakers',
      ...(writer === 'openai'
        ? {
            tone: 'green',
            state: 'A model writes',
            about: 'A language model writes the first line of mails.',
          }
        : {
            tone: 'slate',
            state: 'Rules write',
            about: 'The first line is put together by fixed rules from what you know of a lead.',
          }),
      how: (
        <>
          The key of your OpenAI account; <V>OPENAI_BASE_URL</V> and <V>OPENAI_MODEL</V> for another service
          that speaks the same.
        </>
      ),
    },
  ]
}

/** A variable of the server's environment. */
function V({ children }: { children: string }) {
  return <code>{children}</code>
}
