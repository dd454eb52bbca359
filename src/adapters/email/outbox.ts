import { access, constants, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport } from 'nodemailer'
import { HeldBack, type Mailer } from '#platform/ports/mail.ts'
import { messageOf, senderOf } from './message.ts'
import { newName } from './outbox-name.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const LANES = 10

/**
 * The embedded default: nobody receives these mails. Each is written whole, as a server would get it, into a file that
 * any mail program opens, so that a fresh installation shows what it would send.
 */
export function openOutbox({ folder, from }: { folder: string; from: string }): Mailer {
  const sender = senderOf(from)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'outbox',
    lanes: LANES,
    async send(mail, { mayGo = () => true } = {}) {
      const { message } = await composer.sendMail(messageOf(mail, sender))
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      if (!mayGo()) throw new HeldBack('The email was not sent')
      await write(folder, newName(mail.message_id), message as Buffer)
      return { refused: [] }
    },
    async check() {
      await access(await nearestFolder(folder), constants.W_OK | constants.X_OK)
    },
    async close() {
      composer.close()
    },
  }
}

/** Written as a draft first, so that nothing watching the folder opens half an email. */
async function write(folder: string, name: string, message: Buffer): Promise<void> {
  const draft = join(folder, `.${name}.draft`)
  await writeFile(draft, message, { mode: FILE_MODE, flag: 'wx' })
  await rename(draft, join(folder, `${name}.eml`))
}

/** The folder comes with the first mail; until then it matters whether it can be made. */
async function nearestFolder(folder: string): Promise<string> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there?.isDirectory()) return folder
  if (there) throw new Error(`${folder} is not a folder`)
  return await nearestFolder(dirname(folder))
}
