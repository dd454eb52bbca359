import type { Mail, Mailer } from '#platform/ports/mail.ts'
import type { Ports } from '#platform/ports/ports.ts'

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
    sent,
    faults,
    lastTo: address => sent.findLast(mail => mail.to === address),
    async send(mail) {
      const fault = faults.shift()
      if (fault) throw fault
      sent.push(mail)
    },
    check: async () => {},
    close: async () => {},
  }
}

export function testPorts(): Ports & { mail: MemoryMailer } {
  return { mail: memoryMailer(), signin: [] }
}
