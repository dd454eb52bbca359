import type { NodemailerError, PluginFunction } from 'nodemailer'
import { HeldBack } from '#platform/ports/mail.ts'
import { rewind } from './large-file.ts'
import type { Composed } from './message.ts'

/** How far a mail has got. `given_up`: nobody waits for it any more, so it must not leave. */
export type Tracking = { stage: 'waiting' | 'leaving' | 'left' | 'given_up'; mayGo: () => boolean }

export type Tracked = Composed & { handover: Tracking }

/**
 * A broken connection has the same code before and after the mail left. What tells them apart is whether the last byte
 * was taken from us: the dot that ends a mail follows it, and without that dot a server has nothing to accept.
 *
 * The mail is connected to the socket when the server has said that it may come, and not before: that is the last
 * moment to hold it back. The failing stream makes the pool drop the connection, and the dot is never sent.
 */
export const watchHandover: PluginFunction = ({ data, message }, done) => {
  const { handover } = data as Tracked
  const open = message.createReadStream.bind(message)
  const envelopeOf = message.getEnvelope.bind(message)
  // The pool notes in it what a server said, which does not hold for the next connection.
  message.getEnvelope = () => ({ ...envelopeOf() })
  // The stream that goes out, after any signing: a requeued mail gets a new one.
  let opened = false
  message.createReadStream = options => {
    if (opened) rewind(message)
    opened = true
    const bytes = open(options)
    const pipe = bytes.pipe.bind(bytes)
    bytes.pipe = (socket, pipeOptions) => {
      if (handover.stage === 'given_up' || !handover.mayGo()) {
        bytes.destroy(new HeldBack('The email was not sent'))
        return socket
      }
      handover.stage = 'leaving'
      bytes.once('end', () => (handover.stage = 'left'))
      return pipe(socket, pipeOptions)
    }
    return bytes
  }
  done()
}

const REFUSAL_CODE_MIN = 400

/** Only the server's own no settles it once the mail has left; every other end leaves it open. */
export function mayHaveArrived({ stage }: Tracking, { responseCode = 0 }: NodemailerError): boolean {
  return stage === 'left' && !(responseCode >= REFUSAL_CODE_MIN)
}
