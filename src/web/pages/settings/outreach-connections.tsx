import type { ReactNode } from 'react'
import type { OutreachSettings } from '#domains/messages/contract.ts'
import { Dotted } from '../../ui/stage.tsx'
import rowsClasses from '../../ui/rows.module.css'
import classes from './outreach-settings.module.css'

type Told = { name: string; tone: string; state: string; about: ReactNode; how: ReactNode }

/** What is connected, with the environment variables that configure it. */
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

function connections({ mail, sms, whatsapp, replies, writer, from }: OutreachSettings): Told[] {
  return [
    {
      name: 'Email',
      ...(mail === 'smtp'
        ? { tone: 'green', state: 'Connected', about: <>Emails are sent by SMTP from {from}.</> }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'Emails are not delivered. They are kept on this server for testing.',
          }),
      how: (
        <>
          Set <V>SMTP_URL</V>, such as <code>smtps://user:password@host</code>, and <V>EMAIL_FROM</V> for the
          sender. If your mail server does not sign emails, set <V>DKIM_DOMAIN</V> and the other two DKIM
          variables.
        </>
      ),
    },
    {
      name: 'Text messages',
      ...(sms === 'twilio'
        ? { tone: 'green', state: 'Connected', about: 'Text messages are sent by Twilio.' }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'Text messages are not delivered. They are kept on this server.',
          }),
      how: (
        <>
          Set <V>TWILIO_ACCOUNT_SID</V>, its token and <V>TWILIO_FROM</V>. In Twilio, send incoming messages
          to <code>{location.origin}/api/sms/twilio</code>.
        </>
      ),
    },
    {
      name: 'WhatsApp',
      ...(whatsapp === 'cloud'
        ? {
            tone: 'green',
            state: 'Connected',
            about: 'WhatsApp messages are sent by the WhatsApp Cloud API.',
          }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'WhatsApp messages are not delivered. They are kept on this server.',
          }),
      how: (
        <>
          Set <V>WHATSAPP_PHONE_NUMBER_ID</V> and the other WhatsApp variables. In Meta’s app dashboard,
          subscribe <code>{location.origin}/api/webhooks/whatsapp</code> to “messages”.
        </>
      ),
    },
    {
      name: 'Replies',
      ...(replies === 'imap'
        ? {
            tone: 'green',
            state: 'Connected',
            about: 'Replies are read from a mailbox and stop the sequence.',
          }
        : {
            tone: 'amber',
            state: 'Not connected',
            about: 'Replies are not read and do not stop a sequence.',
          }),
      how: (
        <>
          Set <V>IMAP_URL</V> to the mailbox for replies and bounces, such as{' '}
          <code>imaps://user:password@host/INBOX</code>.
        </>
      ),
    },
    {
      name: 'Icebreakers',
      ...(writer === 'openai'
        ? {
            tone: 'green',
            state: 'Language model',
            about: 'A language model writes the first line of emails.',
          }
        : {
            tone: 'slate',
            state: 'Rules',
            about: 'Fixed rules build the first line of emails from lead data.',
          }),
      how: (
        <>
          Set the key of your OpenAI account, and <V>OPENAI_BASE_URL</V> and <V>OPENAI_MODEL</V> for another
          compatible service.
        </>
      ),
    },
  ]
}

/** An environment variable of the server. */
function V({ children }: { children: string }) {
  return <code>{children}</code>
}
