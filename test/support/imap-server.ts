import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A mailbox of the tests: what lies in it, and how it counts. */
export type ImapServer = {
  url: string
  /** Puts a mail into the mailbox; its uid. `size` is what the server says it has, and some say what is not so. */
  deliver(raw: string | Buffer, options?: { at?: Date; size?: number }): number
  /** Takes it away, as somebody does who tidies up. */
  expunge(uid: number): void
  /** Begins to count anew: every mail gets another uid. */
  recount(): void
  /** Between listing mails and handing them out, once. */
  afterSearch(happens: () => void): void
  /** What clients have said, without the tags. */
  heard: string[]
  /** Ends every connection, as a server does that goes away. */
  hangUp(): void
  /** From now on commands that begin like this are left without an answer. */
  silence(beginning: string): void
  close(): Promise<void>
}

export const IMAP_USER = 'crm@example.com'
export const IMAP_PASSWORD = 'p:a/s s"@'

type Stored = { uid: number; raw: Buffer; at: Date; size: number }

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** As much of IMAP (RFC 3501) as reading a mailbox takes. */
export async function startImapServer({ idle = false }: { idle?: boolean } = {}): Promise<ImapServer> {
  const heard: string[] = []
  const silent = new Set<string>()
  const sockets = new Set<Socket>()
  const idlers = new Map<Socket, Reply>()
  const searched: (() => void)[] = []
  let stored: Stored[] = []
  let validity = 1_700_000_000
  let nextUid = 1

  const answers: Record<string, (rest: string, reply: Reply) => void> = {
    CAPABILITY: (_, reply) => reply('OK done', [`CAPABILITY IMAP4rev1 ID NAMESPACE${idle ? ' IDLE' : ''}`]),
    ID: (_, reply) => reply('OK done', ['ID NIL']),
    // It is said of news here, and while a client is idle.
    NOOP: (_, reply) => reply('OK done', [`${stored.length} EXISTS`]),
    IDLE: (_, reply) => {
      if (!idle) return reply('BAD what')
      idlers.set(reply.socket, reply)
      reply.raw(Buffer.from('+ idling\r\n'))
    },
    DONE: (_, { socket }) => {
      idlers.get(socket)?.('OK done')
      idlers.delete(socket)
    },
    NAMESPACE: (_, reply) => reply('OK done', ['NAMESPACE (("" "/")) NIL NIL']),
    LIST: (_, reply) => reply('OK done', ['LIST (\\HasNoChildren) "/" INBOX']),
    LSUB: (_, reply) => reply('OK done', ['LSUB () "/" INBOX']),
    LOGIN: (rest, reply) => {
      const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
      const right = [IMAP_USER, quoted(IMAP_USER)].some(user => rest === `${user} ${quoted(IMAP_PASSWORD)}`)
      reply(right ? 'OK done' : 'NO [AUTHENTICATIONFAILED] Invalid credentials')
    },
    EXAMINE: (rest, reply) => {
      if (!/^"?INBOX"?$/.test(rest)) return reply('NO [NONEXISTENT] No such mailbox')
      reply('OK [READ-ONLY] done', [
        'FLAGS (\\Seen)',
        `${stored.length} EXISTS`,
        '0 RECENT',
        `OK [UIDVALIDITY ${validity}] counted`,
        `OK [UIDNEXT ${nextUid}] next`,
      ])
    },
    UID: (rest, reply) => {
      const [, verb = '', set = '', items = ''] = /^(SEARCH|FETCH) (.*?)(?: (\(.*\)))?$/.exec(rest) ?? []
      if (verb === 'SEARCH') {
        reply('OK done', [['SEARCH', ...found(set)].join(' ')])
        return searched.splice(0).forEach(happens => happens())
      }
      const length = /BODY\.PEEK\[\]<0\.(\d+)>/.exec(items)?.[1]
      for (const [at, mail] of stored.entries()) {
        if (!inSet(set, mail.uid)) continue
        const size = items.includes('RFC822.SIZE') ? ` RFC822.SIZE ${mail.size}` : ''
        const head = `* ${at + 1} FETCH (UID ${mail.uid} INTERNALDATE "${imapDate(mail.at)}"${size}`
        const part = mail.raw.subarray(0, Number(length ?? 0))
        const body = length === undefined ? [] : [Buffer.from(` BODY[]<0> {${part.length}}\r\n`), part]
        reply.raw(Buffer.concat([Buffer.from(head), ...body, Buffer.from(')\r\n')]))
      }
      reply('OK done')
    },
    LOGOUT: (_, reply) => reply('OK done', ['BYE see you']),
  }

  function found(query: string): number[] {
    const [, range] = /^UID (\S+)$/.exec(query) ?? []
    if (range) return stored.filter(({ uid }) => inSet(range, uid)).map(({ uid }) => uid)
    const [, day] = /^SINCE "?(\S+?)"?$/.exec(query) ?? []
    return stored.filter(({ at }) => at.getTime() >= Date.parse(`${day} UTC`)).map(({ uid }) => uid)
  }

  function inSet(set: string, uid: number): boolean {
    const last = stored.at(-1)?.uid ?? 0
    return set.split(',').some(part => {
      const ends = part.split(':').map(end => (end === '*' ? last : Number(end)))
      return uid >= Math.min(...ends) && uid <= Math.max(...ends)
    })
  }

  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      idlers.delete(socket)
    })
    socket.write('* OK ready\r\n')
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        const [, tag = '*', command = line, rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? []
        text = text.slice(end + 2)
        heard.push(`${command} ${rest}`.trim())
        if ([...silent].some(beginning => heard.at(-1)!.startsWith(beginning))) continue
        const answer = answers[command.toUpperCase()]
        if (answer) answer(rest, replyTo(socket, tag))
        else socket.write(`${tag} BAD what\r\n`)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: imapUrl(port),
    heard,
    deliver(raw, { at = new Date(), size = Buffer.byteLength(raw) } = {}) {
      stored.push({ uid: nextUid, raw: Buffer.from(raw), at, size })
      for (const { raw } of idlers.values()) raw(Buffer.from(`* ${stored.length} EXISTS\r\n`))
      return nextUid++
    },
    expunge(uid) {
      stored = stored.filter(mail => mail.uid !== uid)
    },
    recount() {
      validity++
      nextUid = 1
      stored = stored.map(mail => ({ ...mail, uid: nextUid++ }))
    },
    afterSearch: happens => void searched.push(happens),
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    silence: beginning => void silent.add(beginning),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

export function imapUrl(port: number, password = IMAP_PASSWORD): string {
  return `imap://${encodeURIComponent(IMAP_USER)}:${encodeURIComponent(password)}@127.0.0.1:${port}/INBOX`
}

type Reply = ((status: string, lines?: string[]) => void) & { socket: Socket; raw(bytes: Buffer): void }

function replyTo(socket: Socket, tag: string): Reply {
  const reply = (status: string, lines: string[] = []) => {
    socket.write([...lines.map(line => `* ${line}`), `${tag} ${status}`].map(line => `${line}\r\n`).join(''))
  }
  return Object.assign(reply, { socket, raw: (bytes: Buffer) => void socket.write(bytes) })
}

function imapDate(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`
}
