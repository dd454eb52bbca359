import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HeldBack } from '#platform/ports/mail.ts'
import type { Sms, SmsSender } from '#platform/ports/sms.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const LANES = 10
const RANDOM_BYTES = 4
const REFERENCE_LENGTH_MAX = 120

/** The embedded default: nothing is delivered. Each message is a file with its text and recipient. */
export function openSmsOutbox({ folder }: { folder: string }): SmsSender {
  return {
    kind: 'outbox',
    lanes: LANES,
    async send(sms, { mayGo = () => true } = {}) {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      if (!mayGo()) throw new HeldBack('The message was not sent')
      await write(folder, newName(sms.reference), page(sms))
      return { provider_id: null }
    },
    async check() {
      await access(await nearestFolder(folder), constants.W_OK | constants.X_OK)
    },
    async close() {},
  }
}

function page({ to, text, reference }: Sms): string {
  const line = (value: string) => value.replace(/\s+/g, ' ')
  return [
    'Text message, saved here instead of being sent: no SMS provider is configured.',
    `To: ${line(to)}`,
    `Reference: ${line(reference)}`,
    '',
    text,
    '',
  ].join('\n')
}

function newName(reference: string): string {
  const moment = new Date().toISOString().replaceAll(':', '-')
  const word = reference.replaceAll(/[^\w.@-]/g, '').slice(0, REFERENCE_LENGTH_MAX)
  return `${moment}-${randomBytes(RANDOM_BYTES).toString('hex')}-${word}`
}

/** Written as a draft first, so that nothing watching the folder opens half a message. */
async function write(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `.${name}.draft`)
  await writeFile(draft, text, { mode: FILE_MODE, flag: 'wx' })
  await rename(draft, join(folder, `${name}.txt`))
}

/** The folder comes with the first message; until then it matters whether it can be made. */
async function nearestFolder(folder: string): Promise<string> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there?.isDirectory()) return folder
  if (there) throw new Error(`${folder} is not a folder`)
  return await nearestFolder(dirname(folder))
}
