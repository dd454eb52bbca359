import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { IMAP_PASSWORD, IMAP_USER } from '#test/imap-server.ts'
import type { Handed, Ledger } from './ledger.ts'

/** Where the mailboxes send: it keeps every email that it has as a whole. */
export type Post = {
  port: number
  /** The next email stays without an answer, with the server having all of it; resolves when it has. */
  holdNext(): Promise<Handed>
  /** Nothing is held any more, if that email has not come yet. */
  holdNone(): void
  close(): Promise<void>
}

export async function startPost(ledger: Pick<Ledger, 'handed'>): Promise<Post> {
  let hold: ((mail: Handed) => void) | undefined
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === IMAP_USER && password === IMAP_PASSWORD) return done(null, { user: username })
      done(Object.assign(new Error('5.7.8 Not welcome'), { responseCode: 535 }))
    },
    async onData(stream, { envelope }, done) {
      const raw = await buffer(stream).catch(() => undefined)
      // The connection broke in the middle: then there was no mail.
      if (!raw) return
      const [, message_id = ''] = /^message-id:\s*(<[^>]+>)/im.exec(raw.toString('latin1')) ?? []
      const { mailFrom, rcptTo } = envelope
      const mail = {
        message_id,
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
      }
      // From here on the server has it, whether its answer arrives or not.
      ledger.handed.push(mail)
      const held = hold
      hold = undefined
      if (held) held(mail)
      else done()
    },
  })
  // A process that is killed breaks its connections.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    holdNext: () => new Promise(resolve => (hold = resolve)),
    holdNone: () => (hold = undefined),
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
