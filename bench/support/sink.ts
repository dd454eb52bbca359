import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Takes every mail, and forgets it. */
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  maxClients: 200,
  onData(stream, _session, done) {
    stream.resume().on('end', () => done())
  },
})
const listening = server.listen(0, '127.0.0.1')
await once(listening, 'listening')
const { port } = listening.address() as AddressInfo
process.send!({ url: `smtp://127.0.0.1:${port}`, headers: {}, memoryMiB: 0 })
