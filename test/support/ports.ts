import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCalDav } from '#adapters/calendar/caldav.ts'
import { openDisk } from '#adapters/storage/disk.ts'
import { openSimulator, steadyPace, type Simulator } from '#adapters/voice/simulator.ts'
import { rulesWriter } from '#adapters/writer/rules.ts'
import type { Clock } from '#platform/clock.ts'
import type { Bank, BankInvoice } from '#platform/ports/bank.ts'
import type { CalendarServer } from '#platform/ports/calendar.ts'
import type { Crawled, Crawler, Site } from '#platform/ports/crawler.ts'
import type { DeliveryEvent, DeliveryLog } from '#platform/ports/delivery-log.ts'
import { DnsUnavailable, type Dns } from '#platform/ports/dns.ts'
import { HeldBack, type Mail, type Mailer } from '#platform/ports/mail.ts'
import type { IncomingMail, Mailbox } from '#platform/ports/mailbox.ts'
import type { Ports } from '#platform/ports/ports.ts'
import type { Sms, SmsSender } from '#platform/ports/sms.ts'
import type { ListedTemplate, WhatsApp, WhatsAppMessage } from '#platform/ports/whatsapp.ts'
import type { AnswerTask, ConversationTask, Writer, WritingTask } from '#platform/ports/writer.ts'
import { recordMail } from '../mails/recorder.ts'
import { memoryMailboxServers, type MemoryMailboxServers } from './mailboxes.ts'

const LANES = 10
/** Calls that are played go by in a moment. */
const PACE_MS = 1

export type MemoryMailer = Mailer & {
  sent: Mail[]
  /** Thrown by the next sends, one each, before anything is taken. */
  faults: Error[]
  /** The newest mail to that address. */
  lastTo(address: string): Mail | undefined
}

/** Takes every mail and keeps it where a test can look. */
export function memoryMailer(): MemoryMailer {
  const sent: Mail[] = []
  const faults: Error[] = []
  return {
    kind: 'outbox',
    lanes: LANES,
    sent,
    faults,
    lastTo: address => sent.findLast(mail => mail.to === address),
    async send(mail, { mayGo = () => true } = {}) {
      const fault = faults.shift()
      if (fault) throw fault
      if (!mayGo()) throw new HeldBack('The email was not sent')
      sent.push(mail)
      recordMail(mail)
      return { refused: [] }
    },
    check: async () => {},
    close: async () => {},
  }
}

export type MemorySms = SmsSender & {
  sent: Sms[]
  /** Thrown by the next sends, one each, before anything is taken. */
  faults: Error[]
  /** The newest message to that number. */
  lastTo(number: string): Sms | undefined
}

/** Takes every text message; the provider's ids are SM1, SM2 and so on. */
export function memorySms(): MemorySms {
  const sent: Sms[] = []
  const faults: Error[] = []
  return {
    kind: 'outbox',
    lanes: LANES,
    sent,
    faults,
    lastTo: number => sent.findLast(sms => sms.to === number),
    async send(sms, { mayGo = () => true } = {}) {
      const fault = faults.shift()
      if (fault) throw fault
      if (!mayGo()) throw new HeldBack('The message was not sent')
      return { provider_id: `SM${sent.push(sms)}` }
    },
    check: async () => {},
    close: async () => {},
  }
}

export type MemoryWhatsApp = WhatsApp & {
  sent: WhatsAppMessage[]
  /** Thrown by the next sends, one each, before anything is taken. */
  faults: Error[]
  /** What was sent to us, by its ID. */
  files: Map<string, { type: string; bytes: Uint8Array }>
  listed: ListedTemplate[]
}

/** Accepts every message, as wamid.1, wamid.2 and so on; what becomes of it, a test tells by the webhook. */
export function memoryWhatsApp(): MemoryWhatsApp {
  const sent: WhatsAppMessage[] = []
  const faults: Error[] = []
  const files: MemoryWhatsApp['files'] = new Map()
  const listed: ListedTemplate[] = []
  return {
    kind: 'cloud',
    lanes: LANES,
    sent,
    faults,
    files,
    listed,
    async send(message, { mayGo = () => true } = {}) {
      const fault = faults.shift()
      if (fault) throw fault
      if (!mayGo()) throw new HeldBack('The message was not sent')
      return { provider_id: `wamid.${sent.push(message)}`, confirmed: false }
    },
    media: async (id, bytesMax) => {
      const file = files.get(id)
      return file && file.bytes.length <= bytesMax ? file : undefined
    },
    templates: async () => ({ templates: [...listed], skipped: 0 }),
    check: async () => {},
    close: async () => {},
  }
}

export type MemoryMailbox = Mailbox & {
  /** What has arrived, oldest first: the first has the uid 1. A test pushes to it. */
  mails: IncomingMail[]
  /** Thrown by the next reads, one each. */
  faults: Error[]
}

/** A mailbox that counts from one: what a test pushes is what arrives. */
export function memoryMailbox(): MemoryMailbox {
  const mails: IncomingMail[] = []
  const faults: Error[] = []
  return {
    kind: 'imap',
    mails,
    faults,
    async read(from, limit) {
      const fault = faults.shift()
      if (fault) throw fault
      const start = from ? from.uid : mails.length
      const found = mails.slice(start, start + limit)
      const uid = start + found.length
      return { mails: found, place: { uid_validity: '1', uid }, more: uid < mails.length }
    },
    check: async () => {},
    close: async () => {},
  }
}

export type MemoryDeliveryLog = DeliveryLog & { events: DeliveryEvent[]; faults: Error[] }

/** Remembers what a test pushes to it. */
export function memoryDeliveryLog(): MemoryDeliveryLog {
  const events: DeliveryEvent[] = []
  const faults: Error[] = []
  return {
    kind: 'outbox',
    events,
    faults,
    async read(since, limit) {
      const fault = faults.shift()
      if (fault) throw fault
      return events
        .filter(event => Date.parse(event.sent_at) >= Date.parse(since))
        .toSorted((a, b) => Date.parse(b.sent_at) - Date.parse(a.sent_at))
        .slice(0, limit)
    },
    check: async () => {},
  }
}

export type MemoryDns = Dns & {
  /** The TXT records of each name; undefined where they cannot be looked up. */
  records: Map<string, string[] | undefined>
  /** The names that were looked up, in their order. */
  asked: string[]
}

/** Knows the names that a test gives it; any other does not exist. */
export function memoryDns(): MemoryDns {
  const records: MemoryDns['records'] = new Map()
  const asked: string[] = []
  return {
    records,
    asked,
    async texts(name) {
      asked.push(name)
      const found = records.has(name) ? records.get(name) : []
      if (!found) throw new DnsUnavailable(`queryTxt ETIMEOUT ${name}`)
      return found
    },
  }
}

export type MemoryWriter = Writer & {
  asked: WritingTask[]
  answered: AnswerTask[]
  conversed: ConversationTask[]
  faults: Error[]
}

/** The embedded writer, which fails when a test wants it to. */
export function memoryWriter(): MemoryWriter {
  const rules = rulesWriter()
  const asked: WritingTask[] = []
  const answered: AnswerTask[] = []
  const conversed: ConversationTask[] = []
  const faults: Error[] = []
  return {
    ...rules,
    asked,
    answered,
    conversed,
    faults,
    async converse(task) {
      conversed.push(task)
      const fault = faults.shift()
      if (fault) throw fault
      return await rules.converse(task)
    },
    async answer(task) {
      answered.push(task)
      const fault = faults.shift()
      if (fault) throw fault
      return await rules.answer(task)
    },
    async write(task) {
      asked.push(task)
      const fault = faults.shift()
      if (fault) throw fault
      return await rules.write(task)
    },
  }
}

export type MemoryBank = Bank & {
  /** Each call, in the order they came. */
  told: { invoice: BankInvoice; key: string }[]
  /** Thrown by the next calls, one each, after they were counted. */
  faults: Error[]
}

/** Books each key once, as BANK-1, BANK-2 and so on, and counts how often it was told. */
export function memoryBank(): MemoryBank {
  const told: MemoryBank['told'] = []
  const faults: Error[] = []
  const booked = new Map<string, string>()
  return {
    kind: 'ledger',
    told,
    faults,
    async sync(invoice, key) {
      told.push({ invoice, key })
      const fault = faults.shift()
      if (fault) throw fault
      const reference = booked.get(key) ?? `BANK-${booked.size + 1}`
      booked.set(key, reference)
      return { reference }
    },
    check: async () => {},
    close: async () => {},
  }
}

/** Everybody's calendar, with nothing in it: for tests that let no call out, which would reach none. */
export function memoryCalendars(): CalendarServer {
  return {
    find: async ({ server_url, calendar_url }) => ({
      calendar_url: calendar_url ?? server_url,
      name: 'Calendar',
    }),
    put: async ({ calendar_url }, { uid }) => ({ href: `${calendar_url}${uid}.ics`, etag: '"1"' }),
    remove: async () => {},
    busy: async () => [],
  }
}

/** What a site answers, or what it does when it is asked. */
export type MemorySite = Crawled | ((site: Site) => Crawled | Promise<Crawled>)

export type MemoryCrawler = Crawler & {
  /** By the host; where there is none, it is gone. */
  sites: Map<string, MemorySite>
  /** The addresses that were crawled, in their order. */
  crawled: string[]
}

/** Reads sites that exist nowhere. */
export function memoryCrawler(): MemoryCrawler {
  const sites = new Map<string, MemorySite>()
  const crawled: string[] = []
  return {
    sites,
    crawled,
    async crawl(asked) {
      crawled.push(asked.url)
      const site = sites.get(new URL(asked.url).host)
      if (typeof site === 'function') return site(asked)
      return site ?? { outcome: 'gone', reason: 'Host not found.' }
    },
  }
}

export type MemoryPorts = Ports & {
  mail: MemoryMailer
  sms: MemorySms
  whatsapp: MemoryWhatsApp
  deliveryLog: MemoryDeliveryLog
  mailbox: MemoryMailbox
  mailboxServers: MemoryMailboxServers
  dns: MemoryDns
  writer: MemoryWriter
  bank: MemoryBank
  crawler: MemoryCrawler
  voice: Simulator
}

type TestPorts = { clock?: Clock | undefined; outboundAllowHosts?: readonly string[] }

export function testPorts({ clock, outboundAllowHosts = [] }: TestPorts = {}): MemoryPorts {
  return {
    mail: memoryMailer(),
    sms: memorySms(),
    whatsapp: memoryWhatsApp(),
    deliveryLog: memoryDeliveryLog(),
    mailbox: memoryMailbox(),
    mailboxServers: memoryMailboxServers(),
    mailboxProviders: [],
    dns: memoryDns(),
    writer: memoryWriter(),
    plainWriter: rulesWriter(),
    chain: undefined,
    bank: memoryBank(),
    voice: openSimulator({ pace: steadyPace(PACE_MS), ...(clock && { clock }) }),
    calendars: outboundAllowHosts.length > 0 ? openCalDav({ outboundAllowHosts }) : memoryCalendars(),
    crawler: memoryCrawler(),
    // Made with the first file; it goes with the temporary folder of the run.
    storage: openDisk({ folder: join(tmpdir(), `rapport-files-${randomBytes(6).toString('hex')}`) }),
    signin: [],
  }
}
