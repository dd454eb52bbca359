import { randomBytes } from 'node:crypto'

const RANDOM_BYTES = 4
/** File systems end a name at 255 bytes. */
const ID_LENGTH_MAX = 120

/** When, a word that makes it the only one, and the mail's own id, so that an event or a person finds the file by it. */
export function newName(messageId: string): string {
  const moment = new Date().toISOString().replaceAll(':', '-')
  const id = messageId.replaceAll(/[^\w.@-]/g, '').slice(0, ID_LENGTH_MAX)
  return `${moment}-${randomBytes(RANDOM_BYTES).toString('hex')}-${id}`
}

/** When the email of that name was written; undefined for a file we did not write. */
export function momentOf(name: string): string | undefined {
  const [, day, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})Z-.*\.eml$/.exec(name) ?? []
  return day && `${day}T${hour}:${minute}:${second}Z`
}
