import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import type { Storage } from '#platform/ports/storage.ts'
import { startHttp } from '#test/http-server.ts'
import { freePort } from '#test/programs.ts'
import { refuse, startS3 } from '#test/s3-server.ts'
import { openDisk } from './disk.ts'
import { openS3, type S3Limits } from './s3.ts'

const TEAM = 'a'.repeat(24)
const KEY = `${TEAM}/${'1'.repeat(24)}`

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const ways: Record<string, () => Promise<Storage>> = {
  disk: async () => openDisk({ folder: join(await temporaryFolder(), 'files') }),
  s3: async () => (await withS3()).storage,
}

describe.each(Object.entries(ways))('%s', (kind, open) => {
  test('gives back what was put, until it is removed', async () => {
    const storage = await open()
    expect(storage.kind).toBe(kind)
    expect(await storage.get(KEY)).toBeUndefined()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    await storage.put(KEY, bytes)
    expect(bytes.equals(await read(storage, KEY))).toBe(true)
    await storage.put(KEY, Buffer.from('other'))
    expect((await read(storage, KEY)).toString()).toBe('other')
    await storage.remove(KEY)
    expect(await storage.get(KEY)).toBeUndefined()
    await storage.remove(KEY)
  })

  test('keeps an empty file', async () => {
    const storage = await open()
    await storage.put(KEY, new Uint8Array())
    expect(await read(storage, KEY)).toHaveLength(0)
  })

  test('holds teams apart', async () => {
    const storage = await open()
    const other = KEY.replaceAll('a', 'b')
    await storage.put(KEY, Buffer.from('ours'))
    expect(await storage.get(other)).toBeUndefined()
    await storage.remove(other)
    expect((await read(storage, KEY)).toString()).toBe('ours')
  })

  test('two that write the same file at once leave one whole', async () => {
    const storage = await open()
    const versions = ['x', 'y'].map(letter => Buffer.from(letter.repeat(200_000)))
    await Promise.all(versions.map(bytes => storage.put(KEY, bytes)))
    const kept = await read(storage, KEY)
    expect(versions.some(bytes => bytes.equals(kept))).toBe(true)
  })

  test.each([
    '',
    'x',
    '../../etc/passwd',
    `${TEAM}/../${TEAM}`,
    `${KEY}/x`,
    `${KEY}\n`,
    KEY.toUpperCase(),
    `/${KEY}`,
  ])('is asked for no other key than two IDs: %j', async key => {
    const storage = await open()
    for (const ask of [storage.put, storage.get, storage.remove])
      await expect(ask(key, Buffer.from('x'))).rejects.toThrow('is not a key of a file')
  })

  test('is well, and the check leaves nothing behind', async () => {
    const storage = await open()
    await storage.check()
    await storage.put(KEY, Buffer.from('x'))
    await storage.check()
    expect((await read(storage, KEY)).toString()).toBe('x')
  })
})

describe('the disk', () => {
  test('has a file for each, which only its owner reads', async () => {
    const folder = join(await temporaryFolder(), 'files')
    await openDisk({ folder }).put(KEY, Buffer.from('x'))
    const path = join(folder, KEY)
    expect(await readFile(path, 'utf8')).toBe('x')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    for (const each of [folder, join(folder, TEAM), join(folder, 'drafts')])
      expect((await stat(each)).mode & 0o777).toBe(0o700)
    expect(await readdir(join(folder, 'drafts'))).toEqual([])
    expect(await readdir(join(folder, TEAM))).toHaveLength(1)
  })

  test('a check before the first file makes no folder', async () => {
    const folder = await temporaryFolder()
    await openDisk({ folder: join(folder, 'files') }).check()
    expect(await readdir(folder)).toEqual([])
    await mkdir(join(folder, 'files'))
    await openDisk({ folder: join(folder, 'files') }).check()
    expect(await readdir(join(folder, 'files'))).toEqual([])
  })

  test('what a crash left half written is no file, and is removed with time', async () => {
    const folder = await temporaryFolder()
    const storage = openDisk({ folder })
    await storage.put(KEY, Buffer.from('x'))
    const [old, young] = ['old', 'young'].map(name => join(folder, 'drafts', name))
    for (const path of [old!, young!]) await writeFile(path, 'half')
    const before = new Date(Date.now() - 3_700_000)
    await utimes(old!, before, before)
    await storage.put(KEY, Buffer.from('y'))
    expect(await readdir(join(folder, 'drafts'))).toEqual(['young'])
  })

  test('one that cannot be written says so, and keeps what it had', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'files'), 'a file where the folder should be')
    const storage = openDisk({ folder: join(folder, 'files') })
    await expect(storage.put(KEY, Buffer.from('x'))).rejects.toThrow(/ENOTDIR|EEXIST/)
    await expect(storage.check()).rejects.toThrow('is not a folder')
  })

  test('a file that cannot be renamed leaves no draft', async () => {
    const folder = await temporaryFolder()
    const storage = openDisk({ folder })
    // Where the file should be, there is a folder with something in it.
    await mkdir(join(folder, KEY, 'x'), { recursive: true })
    await expect(storage.put(KEY, Buffer.from('x'))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(await readdir(join(folder, 'drafts'))).toEqual([])
  })
})

describe('S3', () => {
  test('keeps files below the prefix, in the bucket of the path', async () => {
    const { storage, server } = await withS3()
    await storage.put(KEY, Buffer.from('x'))
    expect([...server.objects.keys()]).toEqual([`crm/one/${KEY}`])
    expect(server.heard).toEqual([`PUT /rapport-files/crm/one/${KEY}`])
    const bare = openS3({ ...server.settings, prefix: '', endpointUrl: `${server.settings.endpointUrl}/` })
    await bare.put(KEY, Buffer.from('x'))
    expect([...server.objects.keys()]).toContain(KEY)
  })

  test.each([
    ['secretAccessKey', 'wrong', /^S3 answered 403 SignatureDoesNotMatch: check AWS_SECRET_ACCESS_KEY$/],
    ['accessKeyId', 'wrong', /^S3 answered 403 InvalidAccessKeyId: check AWS_ACCESS_KEY_ID$/],
    ['region', 'us-west-2', /^S3 answered 403 SignatureDoesNotMatch/],
    ['bucket', 'other-bucket', /^S3 answered 404 NoSuchBucket: check FILES_URL$/],
  ])('a wrong %s is told without what is secret', async (field, value, message) => {
    const { server } = await withS3()
    const storage = openS3({ ...server.settings, [field]: value })
    for (const ask of [storage.put, storage.get, storage.check]) {
      const told = await ask(KEY, Buffer.from('x')).then(
        () => 'nothing',
        (error: Error) => error.message,
      )
      expect(told).toMatch(message)
      expect(told).not.toContain('canary')
    }
    // A bucket that is not there is no sign that a file is gone.
    if (field === 'bucket') await expect(storage.remove(KEY)).rejects.toThrow('NoSuchBucket')
    expect(server.objects.size).toBe(0)
  })

  test('a redirect is not followed', async () => {
    const { storage, server } = await withS3()
    const elsewhere = await startHttp(() => ({ status: 200, body: 'canary' }))
    closing.push(elsewhere.close)
    for (const status of [301, 302, 307]) {
      server.faults.push(response => response.writeHead(status, { location: elsewhere.url }).end())
      await expect(storage.get(KEY)).rejects.toThrow(`S3 answered ${status}: check AWS_REGION`)
    }
    expect(elsewhere.heard).toEqual([])
  })

  test('one that is busy or breaks off is asked again, three times at most', async () => {
    const { storage, server } = await withS3()
    server.faults.push(
      response => refuse(response, 503, 'SlowDown'),
      response => response.destroy(),
    )
    await storage.put(KEY, Buffer.from('x'))
    expect(server.heard).toHaveLength(3)
    for (let time = 0; time < 3; time++)
      server.faults.push(response => refuse(response, 500, 'InternalError'))
    await expect(storage.get(KEY)).rejects.toThrow('S3 answered 500 InternalError')
    expect(server.heard).toHaveLength(6)
    server.faults.push(response => refuse(response, 400, 'BadDigest'))
    await expect(storage.put(KEY, Buffer.from('x'))).rejects.toThrow('S3 answered 400 BadDigest')
    expect(server.heard).toHaveLength(7)
  })

  test('one that does not answer, or stops in the middle, has its time', async () => {
    const silent = await withS3({ timeoutMs: 50 })
    silent.server.faults.push(() => {})
    await expect(silent.storage.put(KEY, Buffer.from('x'))).rejects.toThrow(
      'S3 did not answer within 0.05 seconds',
    )
    const { storage, server } = await withS3({ idleTimeoutMs: 50 })
    server.faults.push(response => response.writeHead(200, { 'content-length': 10 }).write('begin'))
    const begun = await storage.get(KEY)
    await expect(buffer(begun!)).rejects.toThrow('S3 sent nothing for 0.05 seconds')
  })

  test('one that is cut off in the middle is no whole file', async () => {
    const { storage, server } = await withS3()
    server.faults.push(response => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('begin', () => response.destroy())
    })
    const begun = await storage.get(KEY)
    await expect(buffer(begun!)).rejects.toThrow('aborted')
  })

  test('one that is down is told', async () => {
    const { server } = await withS3()
    const down = openS3({ ...server.settings, endpointUrl: `http://127.0.0.1:${await freePort()}` })
    await expect(down.check()).rejects.toThrow(/^S3 did not answer: .*ECONNREFUSED/)
  })

  test('a key that may not list is found by the check: what is gone would look forbidden', async () => {
    const { storage, server } = await withS3()
    server.faults.push(undefined, undefined, undefined, response => refuse(response, 403, 'AccessDenied'))
    await expect(storage.check()).rejects.toThrow(
      'S3 does not say whether a file exists: allow s3:ListBucket on the bucket',
    )
    await storage.check()
  })
})

async function withS3(limits: S3Limits = {}) {
  const server = await startS3()
  closing.push(server.close)
  return { server, storage: openS3(server.settings, limits) }
}

async function read(storage: Storage, key: string): Promise<Buffer> {
  return buffer((await storage.get(key))!)
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-storage-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}
