import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from '#platform/ports/mail.ts'
import { messageOf } from './message.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const ID_BYTES = 4

/**
 * The embedded default: nobody receives these mails. Each is written whole, as a server would get it, into a file that
 * any mail program opens, so that a fresh installation shows what it would send.
 */
export function openOutbox({ folder, from }: { folder: string; from: string }): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    kind: 'outbox',
    async send(mail: Mail) {
      const { message } = await composer.sendMail(messageOf(mail, from))
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      await write(folder, message as Buffer)
    },
    async check() {
      await access(await nearestFolder(folder), constants.W_OK | constants.X_OK)
    },
    async close() {
      composer.close()
    },
  }
}

/** By way of a draft: whoever watches the folder never opens half a mail. */
async function write(folder: string, message: Buffer): Promise<void> {
  const moment = new Date().toISOString().replaceAll(':', '-')
  const name = `${moment}-${randomBytes(ID_BYTES).toString('hex')}`
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
