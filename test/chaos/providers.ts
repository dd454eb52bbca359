import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Ledger } from './ledger.ts'
import { openWire, type Wire } from './wire.ts'

/** Of a hundred: how often a provider takes something and breaks the connection before it says so, and how often it refuses for now. */
const SILENT_PERCENT = 2
const BUSY_PERCENT = 4

export type ProviderName = 'smtp' | 'sms' | 'receiver'

/** A mail server, a provider of text messages and a receiver of webhooks, each behind a wire. */
export type Providers = {
  wires: Record<ProviderName, Wire>
  ports: Record<ProviderName, number>
  /** Called with every mail that was taken. */
  onMail(listener: (mail: { message_id: string; to: string }) => void): void
  close(): Promise<void>
}

export async function startProviders(ledger: Ledger, seed: number): Promise<Providers> {
  let heard: (mail: { message_id: string; to: string }) => void = () => {}
  const asked = new Map<string, number>()
  /** What a provider does is a matter of whom the message is to and how often it came, so that a seed repeats it. */
  const manner = (name: string): 'take' | 'silent' | 'busy' => {
    const times = (asked.get(name) ?? 0) + 1
    asked.set(name, times)
    const share = createHash('sha256').update(`${seed} ${name} ${times}`).digest().readUInt32BE() / 2 ** 32
    if (share < SILENT_PERCENT / 100) return 'silent'
    return share < (SILENT_PERCENT + BUSY_PERCENT) / 100 ? 'busy' : 'take'
  }

  const smtp = startSmtp((mail, connection, done) => {
    const how = manner(mail.to)
    if (how === 'busy') return void done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
    // From here on the server has it, whether its answer arrives or not.
    ledger.mails.push(mail)
    heard(mail)
    if (how === 'silent') connection.destroy()
    else done()
  })

  const sms = createHttp(async (request, response) => {
    const asked = await whole(request)
    if (asked === undefined) return
    const form = new URLSearchParams(asked)
    const [to, body] = [form.get('To') ?? '', form.get('Body') ?? '']
    const how = manner(`${to} ${body}`)
    if (how === 'busy') return void response.writeHead(503).end('{"code":20503,"message":"Try again later"}')
    ledger.texts.push({ to, body })
    if (how === 'silent') return void response.destroy()
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: `SM${String(ledger.texts.length).padStart(32, '0')}` }))
  })

  const certificate = (name: string) =>
    readFileSync(new URL(`../support/certificate/${name}`, import.meta.url), 'utf8')
  const keys = { cert: certificate('certificate.pem'), key: certificate('key.pem') }
  const receiver = createHttps(keys, async (request, response) => {
    const asked = await whole(request)
    if (asked === undefined) return
    const { eventId, data } = JSON.parse(asked) as { eventId: string; data: { run_id: string } }
    const how = manner(eventId)
    if (how === 'busy') return void response.writeHead(503).end()
    ledger.deliveries.push({ delivery_id: eventId, run_id: data.run_id })
    if (how === 'silent') return void response.destroy()
    response.writeHead(200).end('{}')
  })

  const wires: Record<ProviderName, Wire> = {
    smtp: await wireTo(smtp.server),
    sms: await wireTo(sms),
    receiver: await wireTo(receiver),
  }
  return {
    wires,
    ports: { smtp: wires.smtp.port, sms: wires.sms.port, receiver: wires.receiver.port },
    onMail: listener => (heard = listener),
    async close() {
      await Promise.all(Object.values(wires).map(wire => wire.close()))
      for (const server of [sms, receiver]) {
        server.closeAllConnections()
        server.close()
      }
      await new Promise<void>(resolve => smtp.close(() => resolve()))
    },
  }
}

type TakeMail = (
  mail: { message_id: string; to: string },
  connection: { destroy(): void },
  done: (error?: Error) => void,
) => void

function startSmtp(take: TakeMail): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [, message_id = ''] = /^message-id:\s*(<[^>]+>)/im.exec(Buffer.concat(chunks).toString()) ?? []
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const connection = [...server.connections].find(each => each.session?.id === session.id)
        take({ message_id, to }, { destroy: () => connection?._socket.destroy() }, done)
      })
    },
  })
  // A process that is killed breaks its connections.
  server.on('error', () => {})
  return server
}

/** Undefined where the connection broke in the middle: then nothing was asked. */
function whole(request: IncomingMessage): Promise<string | undefined> {
  return readText(request).catch(() => undefined)
}

async function wireTo(server: Server): Promise<Wire> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return openWire(() => ({ host: '127.0.0.1', port }))
}
