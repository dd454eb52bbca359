import type { Bank } from './bank.ts'
import type { CalendarServer } from './calendar.ts'
import type { Chain } from './chain.ts'
import type { Crawler } from './crawler.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Dns } from './dns.ts'
import type { Mailbox, MailboxProvider, MailboxServers } from './mailbox.ts'
import type { Mailer } from './mail.ts'
import type { SigninProvider } from './signin.ts'
import type { SmsSender } from './sms.ts'
import type { Storage } from './storage.ts'
import type { VoiceLine } from './voice.ts'
import type { WhatsApp } from './whatsapp.ts'
import type { Writer } from './writer.ts'

/** Everything that reaches outside, chosen by the configuration and made by the composition root. */
export type Ports = {
  mail: Mailer
  sms: SmsSender
  whatsapp: WhatsApp
  deliveryLog: DeliveryLog
  /** Where replies arrive; undefined where none is configured. */
  mailbox: Mailbox | undefined
  /** Where mailboxes are that people connect. */
  mailboxServers: MailboxServers
  /** Only what is configured. */
  mailboxProviders: readonly MailboxProvider[]
  dns: Dns
  writer: Writer
  /** What writes where the writer fails: a model that is away holds up nothing. */
  plainWriter: Writer
  /** Where payments settle; undefined where none is configured. */
  chain: Chain | undefined
  /** Receives paid invoices. */
  bank: Bank
  /** Who carries calls; the embedded one plays them. */
  voice: VoiceLine
  /** Members' calendars elsewhere. */
  calendars: CalendarServer
  /** Who reads the sites of companies. */
  crawler: Crawler
  /** Where the bytes of files are kept. */
  storage: Storage
  /** Only what is configured, in the order of the sign-in page. */
  signin: readonly SigninProvider[]
}
