import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HeldBack } from '#platform/ports/mail.ts'
import type { WhatsApp, WhatsAppMessage } from '#platform/ports/whatsapp.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const LANES = 10
const RANDOM_BYTES = 4
const REFERENCE_LENGTH_MAX = 120

/** The embedded default: nothing is delivered. Each message is a file with its text and recipient. */
export function openWhatsAppOutbox({ folder }: { folder: string }): WhatsApp {
  return {
    kind: 'outbox',
    lanes: LANES,
    async send(message, { mayGo = () => true } = {}) {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      if (!mayGo()) throw new HeldBack('The message was not sent')
      await write(folder, newName(message.reference), page(message))
      return { provider_id: null, confirmed: true }
    },
    media: async () => undefined,
    templates: async () => undefined,
    async check() {
      await access(await nearestFolder(folder), constants.W_OK | constants.X_OK)
    },
    async close() {},
  }
}

function page({ to, text, reference, template, file }: WhatsAppMessage): string {
  const line = (value: string) => value.replace(/\s+/g, ' ')
  return [
    'WhatsApp message, saved here instead of being sent: WhatsApp is not configured.',
    `To: ${line(to)}`,
    `Reference: ${line(reference)}`,
    ...(template ? [`Template: ${line(template.name)} (${line(template.language)})`] : []),
    ...(file ? [`File: ${line(file.name)} (${line(file.type)}, ${file.bytes.length} bytes)`] : []),
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
