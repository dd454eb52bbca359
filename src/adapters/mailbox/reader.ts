import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { openThread, TooHard } from '#platform/thread.ts'

const CPU_MAX_MS = 1_000

export type RawMail = { raw: Uint8Array; at: Date }

const thread = openThread<RawMail, IncomingMail>(new URL('./reader-thread.ts', import.meta.url), {
  cpuMs: CPU_MAX_MS,
})

/**
 * Anybody can write a mail, and some keep a parser busy for minutes: it is read in a thread. Undefined for one that takes
 * too long or is no mail: it must not keep back those after it.
 */
export async function readMail(mail: RawMail): Promise<IncomingMail | undefined> {
  try {
    return await thread.ask(mail)
  } catch (error) {
    if (error instanceof TooHard) return undefined
    throw error
  }
}
