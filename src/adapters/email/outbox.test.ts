import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { closeAll, FROM, letter, temporaryFolder } from './email.harness.ts'
import { openOutbox } from './outbox.ts'
import { openOutboxLog } from './outbox-log.ts'

afterEach(closeAll)

describe('the log of the outbox', () => {
  test('says of every mail that lies there that it was delivered, newest first', async () => {
    const folder = join(await temporaryFolder(), 'outbox')
    const mailer = openOutbox({ folder, from: FROM })
    const log = openOutboxLog({ folder })
    const start = new Date().toISOString()
    await log.check()
    expect(await log.read(start, 10)).toEqual([])
    for (const at of [1, 2, 3]) {
      const millisecond = Date.now()
      await mailer.send({ ...letter, message_id: `<${at}@x.example>`, subject: `Grüße ${at}` })
      // The names are in the order of time only from one millisecond to the next.
      while (Date.now() === millisecond) await new Promise(setImmediate)
    }
    const events = await log.read(start, 10)
    expect(events).toMatchObject(
      [3, 2, 1].map(at => ({
        type: 'delivered',
        message_id: `<${at}@x.example>`,
        provider_id: null,
        to: letter.to,
        subject: `Grüße ${at}`,
      })),
    )
    expect(await log.read(start, 2)).toEqual(events.slice(0, 2))
    expect(await log.read(events[0]!.sent_at, 10)).toEqual(events.slice(0, 1))
    expect(await log.read(new Date(Date.now() + 1_000).toISOString(), 10)).toEqual([])
  })

  test('takes no notice of drafts and of files of others', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, '.2026-01-01T00-00-00.000Z-00000000-a@b.draft'), 'half')
    await writeFile(join(folder, 'notes.eml'), 'To: a@example.com\r\n\r\n')
    await writeFile(join(folder, '2026-01-01T00-00-00.000Z-00000000-a@b.eml'), 'no mail')
    expect(await openOutboxLog({ folder }).read('2020-01-01T00:00:00.000Z', 10)).toEqual([])
  })
})

describe('the outbox', () => {
  test('is for its owner alone, and leaves no draft behind', async () => {
    const folder = join(await temporaryFolder(), 'data', 'outbox')
    const mailer = openOutbox({ folder, from: FROM })
    await mailer.check()
    await expect(stat(folder)).rejects.toThrow('ENOENT')
    await Promise.all([mailer.send(letter), mailer.send(letter)])
    const names = await readdir(folder)
    expect(names).toHaveLength(2)
    for (const name of names) {
      expect(name).toMatch(
        /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z-[0-9a-f]{8}-6f1@rapport\.example\.com\.eml$/,
      )
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('says so where it cannot be written', async () => {
    const parent = await temporaryFolder()
    await writeFile(join(parent, 'outbox'), 'a file')
    const mailer = openOutbox({ folder: join(parent, 'outbox'), from: FROM })
    await expect(mailer.check()).rejects.toThrow('is not a folder')
    await expect(mailer.send(letter)).rejects.toThrow('EEXIST')
  })
})
