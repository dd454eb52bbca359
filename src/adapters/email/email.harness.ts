import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Mail, Mailer } from '#platform/ports/mail.ts'
import { openOutbox } from './outbox.ts'
import { openSmtp, type Dkim } from './smtp.ts'
import type { SmtpLimits } from './transport.ts'

export const FROM = 'Rapport <crm@example.com>'
export const letter: Mail = {
  to: 'ada@example.org',
  subject: 'Your meeting',
  text: 'See you on Monday.\n.\nA line with one dot comes before this one.',
  html: '<p>See you on <b>Monday</b>.</p>',
  message_id: '<6f1@rapport.example.com>',
}

/** An adapter, and everything that has arrived: bytes, and to whom where the way knows it. */
export type Way = {
  mailer: Mailer
  arrived(): Promise<{ bytes: Buffer; recipients: string[] | undefined }[]>
}

const closing: (() => Promise<unknown>)[] = []

/** What a test opened is closed after it, the last first. */
export function closeLater(close: () => Promise<unknown>): void {
  closing.push(close)
}

export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close()
}

export const ways = {
  outbox: async (): Promise<Way> => {
    const folder = join(await temporaryFolder(), 'outbox')
    const mailer = openOutbox({ folder, from: FROM })
    const arrived = async () => {
      const names = await readdir(folder).catch(() => [])
      return await Promise.all(
        names.map(async name => ({ bytes: await readFile(join(folder, name)), recipients: undefined })),
      )
    }
    return { mailer, arrived }
  },
  smtp: async (): Promise<Way> => {
    const { url, arrived } = await startServer()
    return { mailer: smtp(url), arrived: async () => arrived }
  },
}

export function smtp(url: string, limits?: SmtpLimits, dkim?: Dkim): Mailer {
  const mailer = openSmtp({ url, from: FROM, dkim }, limits)
  closeLater(() => mailer.close())
  return mailer
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-mail-'))
  closeLater(() => rm(folder, { recursive: true }))
  return folder
}

export async function startServer(options: SMTPServerOptions = {}) {
  const arrived: { bytes: Buffer; recipients: string[] }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // What a server makes of an address is its own business: these tests are about what reaches it.
    lenientAddressParsing: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        arrived.push({ bytes: Buffer.concat(chunks), recipients })
        done()
      })
    },
    ...options,
  })
  // A client that does not trust its certificate hangs up.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  closeLater(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, arrived }
}
