import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { DeliveryEvent, DeliveryLog } from '#platform/ports/delivery-log.ts'
import { momentOf } from './outbox-name.ts'

/** Headers come first: no more of a file than this is read. */
const HEAD_BYTES = 16 * 1024

/** What lies in the outbox was delivered there, which is as far as such a mail ever gets. */
export function openOutboxLog({ folder }: { folder: string }): DeliveryLog {
  return {
    kind: 'outbox',
    async read(since, limit) {
      const from = Date.parse(since)
      const names = (await list(folder))
        .filter(name => Date.parse(momentOf(name) ?? '') >= from)
        .toSorted()
        .toReversed()
        .slice(0, limit)
      const events: DeliveryEvent[] = []
      for (const name of names) events.push(...(await eventOf(folder, name)))
      return events
    },
    async check() {
      await list(folder)
    },
  }
}

async function list(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // The folder comes with the first mail.
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** None for a file that was deleted meanwhile, or that is no mail to anybody. */
async function eventOf(folder: string, name: string): Promise<DeliveryEvent[]> {
  const bytes = await headOf(join(folder, name))
  if (!bytes) return []
  const { to, subject, messageId } = await PostalMime.parse(bytes)
  const address = to?.[0]?.address
  if (!address) return []
  return [
    {
      type: 'delivered',
      message_id: messageId ?? null,
      provider_id: null,
      to: address,
      subject: subject ?? '',
      sent_at: momentOf(name)!,
    },
  ]
}

async function headOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
