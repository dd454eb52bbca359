import type { IncomingMail } from '#platform/ports/mailbox.ts'
import { openThread, TooHard } from '#platform/thread.ts'
import type { RawMail } from './fetch.ts'

const MIB = 1024 * 1024
const CPU_MAX_MS = 1_000
/** Of a mail with large files, for each MiB of it. */
const CPU_PER_MIB_MS = 150
/** Of a mail that cannot be read, as far as is looked for who wrote it. */
const HEAD_BYTES_MAX = 64 * 1024
const KEPT_BYTES_MAX = 25 * MIB

const thread = openThread<RawMail, IncomingMail>(new URL('./reader-thread.ts', import.meta.url), {
  cpuMs: ({ raw }) => CPU_MAX_MS + (raw.length / MIB) * CPU_PER_MIB_MS,
})

/** Those of a reading; what is no mail at all is passed over. */
export async function readMails(found: readonly RawMail[]): Promise<IncomingMail[]> {
  const mails = []
  for (const raw of found) mails.push(await readMail(raw))
  return mails.filter(mail => mail !== undefined)
}

/**
 * Anybody can write a mail, and some keep a parser busy for minutes: it is read in a thread. One that takes too long is
 * kept as a file, and must not keep back those after it. Undefined where even its head cannot be read.
 */
export async function readMail(mail: RawMail): Promise<IncomingMail | undefined> {
  return (await ask(mail)) ?? keptAsFile(mail, await ask({ raw: headOf(mail.raw), at: mail.at }))
}

async function ask(mail: RawMail): Promise<IncomingMail | undefined> {
  try {
    return await thread.ask(mail)
  } catch (error) {
    if (error instanceof TooHard) return undefined
    throw error
  }
}

function keptAsFile({ raw, cut }: RawMail, head: IncomingMail | undefined): IncomingMail | undefined {
  if (!head) return undefined
  const isKept = !cut && raw.length <= KEPT_BYTES_MAX
  const text = `This email could not be read. ${isKept ? 'It is attached as it came.' : 'It was left in the mailbox.'}`
  const file = { name: 'email.eml', type: 'message/rfc822', bytes: raw, content_id: null }
  return { ...head, text, whole: text, files: isKept ? [file] : [] }
}

function headOf(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const beginning = Buffer.from(raw.subarray(0, HEAD_BYTES_MAX))
  const ends = ['\n\n', '\n\r\n'].map(end => beginning.indexOf(end)).filter(at => at >= 0)
  return new Uint8Array(beginning.subarray(0, Math.min(beginning.length, ...ends)))
}
