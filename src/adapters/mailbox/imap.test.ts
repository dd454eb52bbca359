import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { findDovecot, startDovecot } from '#test/dovecot.ts'
import { freePort } from '#test/programs.ts'
import { IMAP_PASSWORD, imapUrl, startImapServer, type ImapServer } from '#test/imap-server.ts'
import type { FetchLimits } from './fetch.ts'
import { further } from '#test/tier.ts'
import { openMailbox } from './imap.ts'
import { mails, OURS } from './mails.harness.ts'
import type { MailboxLimits } from './session.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** What both the server of the tests and a real one can be told. */
type Server = Pick<ImapServer, 'url' | 'close'> & {
  deliver(raw: string, options?: { at?: Date }): number | Promise<unknown>
}

// The real one is tried where it is installed; the tests do not depend on it.
const dovecot = findDovecot()
const servers: Record<string, () => Promise<Server>> = {
  'the server of the tests': startImapServer,
  ...(dovecot && { Dovecot: () => startDovecot(dovecot) }),
}

describe.each(Object.entries(servers))('a mailbox at %s', (name, startServer) => {
  async function start() {
    const server = await startServer()
    closing.push(() => server.close())
    return { server, mailbox: open(server.url) }
  }

  test('is read from its end on: what was there before is nobody’s reply', async () => {
    const { server, mailbox } = await start()
    await server.deliver(mails.gmailReply)
    await mailbox.check()
    const { mails: none, place } = await mailbox.read(undefined, 10)
    expect(none).toEqual([])
    await server.deliver(mails.outlookReply)
    await server.deliver(mails.postfixHard)
    const { mails: two, place: next } = await mailbox.read(place, 10)
    expect(two).toMatchObject([
      { kind: 'reply', from: 'ada@customer.example', answers: [OURS] },
      { kind: 'bounce', bounce: { message_id: OURS, permanent: true } },
    ])
    expect(Math.abs(Date.parse(two[0]!.at) - Date.now())).toBeLessThan(60_000)
    expect(next).toEqual({ uid_validity: place.uid_validity, uid: place.uid + 2 })
    expect(await mailbox.read(next, 10)).toEqual({ mails: [], place: next, more: false })
  })

  test('is empty before the first mail, which is then found', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    expect(place.uid).toBe(0)
    await server.deliver(mails.gmailReply)
    expect((await mailbox.read(place, 10)).mails).toHaveLength(1)
  })

  test('is read a few at a time, oldest first, and none twice', async () => {
    const { server, mailbox } = await start()
    let { place } = await mailbox.read(undefined, 10)
    for (const at of [1, 2, 3, 4, 5]) await server.deliver(`Subject: ${at}\r\n\r\nx\r\n`)
    const subjects = []
    for (const _round of [1, 2, 3, 4]) {
      const found = await mailbox.read(place, 2)
      place = found.place
      subjects.push([...found.mails.map(mail => mail.subject), found.more])
    }
    expect(subjects).toEqual([['1', '2', true], ['3', '4', true], ['5', false], [false]])
  })

  // The same code reads it from either, and the real one is the harder.
  const readWhole = name === Object.keys(servers).at(-1) ? test : further
  readWhole('with a mail that has a file of 25 MB is read whole', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    const bytes = randomBytes(25 * 1024 * 1024)
    await server.deliver(mails.gmailReply)
    await server.deliver(withFile(bytes.toString('base64').replace(/.{76}/g, '$&\r\n')))
    await server.deliver(mails.outlookReply)
    const one = await mailbox.read(place, 10)
    expect([one.mails.length, one.more]).toEqual([1, true])
    const two = await mailbox.read(one.place, 10)
    expect([two.mails.length, two.more]).toEqual([1, true])
    expect(two.mails).toMatchObject([{ text: 'See the file.', answers: [OURS], files: [{ name: 'a.pdf' }] }])
    expect(bytes.equals(two.mails[0]!.files[0]!.bytes)).toBe(true)
    const three = await mailbox.read(two.place, 10)
    expect([three.mails.length, three.more]).toEqual([1, false])
  })

  test('of a mail that is too large the beginning is read, without the files that are cut', async () => {
    const { server } = await start()
    const mailbox = open(server.url, { mailBytes: 512 * 1024 })
    const { place } = await mailbox.read(undefined, 10)
    await server.deliver(withFile(`${'A'.repeat(76)}\r\n`.repeat(20_000)))
    const text = 'See the file.\n\nFiles of this email were too large and were left in the mailbox.'
    expect(await mailbox.read(place, 10)).toMatchObject({
      mails: [{ text, whole: text, answers: [OURS], files: [] }],
      place: { uid: place.uid + 1 },
      more: false,
    })
  })

  test('tells who has the wrong password, and keeps it to itself', async () => {
    const { server } = await start()
    const wrong = server.url.replace(encodeURIComponent(IMAP_PASSWORD), 'canary-password')
    const failure = await open(wrong)
      .check()
      .catch((error: Error) => error)
    expect((failure as Error).message).toMatch(/127\.0\.0\.1 cannot be read: .*(user name or password)/)
    expect(JSON.stringify(Object.entries(failure as Error)) + (failure as Error).stack).not.toContain(
      'canary',
    )
    expect((failure as Error).cause).toBeUndefined()
  })

  test('that is not there is named', async () => {
    const { server } = await start()
    await expect(open(server.url.replace('/INBOX', '/Nowhere')).check()).rejects.toThrow(/cannot be read/)
  })
})

describe('a mailbox', () => {
  async function start(limits?: MailboxLimits & FetchLimits) {
    const server = await startImapServer()
    closing.push(() => server.close())
    return { server, mailbox: open(server.url, limits) }
  }

  test('is not changed by being read', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    server.deliver(mails.gmailReply)
    await mailbox.read(place, 10)
    expect(server.heard.filter(said => /^(SELECT|STORE|UID STORE|EXPUNGE|UID EXPUNGE)/.test(said))).toEqual(
      [],
    )
    expect(server.heard.filter(said => said.startsWith('UID FETCH')).join()).toContain('BODY.PEEK[]')
  })

  test('may lose mails meanwhile', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    const gone = server.deliver(mails.gmailReply)
    server.deliver(mails.outlookReply)
    server.expunge(gone)
    const found = await mailbox.read(place, 10)
    expect(found.mails).toHaveLength(1)
    expect(found.place.uid).toBe(2)
    server.expunge(server.deliver(mails.gmailReply))
    expect(await mailbox.read(found.place, 10)).toEqual({ mails: [], place: found.place, more: false })
  })

  test('that counts anew is read again as far as a week back', async () => {
    const { server, mailbox } = await start()
    const day = 86_400_000
    const old = server.deliver('Subject: long ago\r\n\r\nx', { at: new Date(Date.now() - 9 * day) })
    server.deliver('Subject: seen\r\n\r\nx', { at: new Date(Date.now() - day) })
    const { place } = await mailbox.read(undefined, 10)
    server.deliver('Subject: new\r\n\r\nx')
    server.recount()
    const found = await mailbox.read(place, 10)
    expect(found.mails.map(mail => mail.subject)).toEqual(['seen', 'new'])
    expect(found.place.uid_validity).not.toBe(place.uid_validity)
    expect(await mailbox.read(found.place, 10)).toEqual({ mails: [], place: found.place, more: false })
    server.expunge(old)
    server.recount()
    expect((await mailbox.read(found.place, 10)).mails.map(mail => mail.subject)).toEqual(['seen', 'new'])
  })

  test('with something that is no mail is read past it', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    server.deliver('Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(500))
    server.deliver(mails.gmailReply)
    const found = await mailbox.read(place, 10)
    expect(found.mails.at(-1)).toMatchObject({ message_id: '<CAF=abc123@mail.gmail.com>' })
    expect(found.place.uid).toBe(2)
  })

  test('takes as many mails at once as are 16 MiB together, but one at least', async () => {
    const { server, mailbox } = await start({ readingBytes: 1_000 })
    let { place } = await mailbox.read(undefined, 10)
    for (const size of [400, 600, 1, 5_000, 999]) server.deliver(`Subject: ${size}\r\n\r\n`.padEnd(size, 'x'))
    const subjects = []
    for (let more = true; more;) {
      const found = await mailbox.read(place, 10)
      ;({ place, more } = found)
      subjects.push(found.mails.map(mail => mail.subject))
    }
    expect(subjects).toEqual([['400', '600'], ['1'], ['5000'], ['999']])
  })

  test('whose server says that mails are smaller than they are is read as far as is asked for', async () => {
    const { server, mailbox } = await start({ mailBytes: 2_000 })
    const { place } = await mailbox.read(undefined, 10)
    server.deliver(`Subject: Hi\r\n\r\n${'x'.repeat(50_000)}`, { size: 10 })
    const { mails } = await mailbox.read(place, 10)
    expect(mails).toMatchObject([{ subject: 'Hi', text: 'x'.repeat(2_000 - 'Subject: Hi\r\n\r\n'.length) }])
  })

  test('whose last mails are gone before they are fetched is read past them', async () => {
    const { server, mailbox } = await start({ readingBytes: 10 })
    const { place } = await mailbox.read(undefined, 10)
    server.deliver(mails.gmailReply)
    const gone = server.deliver(mails.outlookReply)
    server.afterSearch(() => server.expunge(gone))
    const found = await mailbox.read(place, 10)
    expect([found.mails.length, found.place.uid, found.more]).toEqual([1, gone, false])
  })

  test('with a mail that cannot be read keeps it as a file', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    const groups = 'a:'.repeat(500_000)
    const hard = `From: ada@x.example\r\nSubject: Hard\r\nTo: ${groups}\r\nCc: ${groups}\r\n\r\nHello`
    server.deliver(hard)
    server.deliver(mails.gmailReply)
    const found = await mailbox.read(place, 10)
    const text = 'This email could not be read. It is attached as it came.'
    expect(found.mails).toMatchObject([
      { from: 'ada@x.example', subject: 'Hard', text, whole: text, html: null },
      { from: 'ada@customer.example' },
    ])
    const [file] = found.mails[0]!.files
    expect(file).toMatchObject({ name: 'email.eml', type: 'message/rfc822' })
    expect(Buffer.from(file!.bytes).toString()).toBe(hard)
  })

  test.for(['LOGIN', 'EXAMINE', 'UID SEARCH', 'UID FETCH'])(
    'whose server falls silent at %s is left',
    async command => {
      const { server, mailbox } = await start({ silenceMs: 1_000 })
      const { place } = await mailbox.read(undefined, 10)
      server.deliver(mails.gmailReply)
      server.silence(command)
      await expect(mailbox.read(place, 10)).rejects.toThrow('cannot be read')
    },
  )

  test('that does not say what it has after counting anew is asked again, from the same place', async () => {
    const { server, mailbox } = await start({ silenceMs: 1_000 })
    const { place } = await mailbox.read(undefined, 10)
    server.deliver(mails.gmailReply)
    server.recount()
    server.silence('UID SEARCH SINCE')
    await expect(mailbox.read(place, 10)).rejects.toThrow('cannot be read')
  })

  test('whose server says no goodbye was read all the same', async () => {
    const { server, mailbox } = await start({ silenceMs: 1_000 })
    server.silence('LOGOUT')
    const { place } = await mailbox.read(undefined, 10)
    server.deliver(mails.gmailReply)
    expect((await mailbox.read(place, 10)).mails).toHaveLength(1)
  })

  test('whose server never stops talking is left after a while', async () => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.write('* OK ready\r\n')
      const timer = setInterval(() => socket.write('* OK still here\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => new Promise<void>(resolve => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    await expect(open(imapUrl(port), { readMs: 300 }).check()).rejects.toThrow(
      'no response within 0.3 seconds',
    )
  })

  test('that is down is named', async () => {
    await expect(open(imapUrl(await freePort())).check()).rejects.toThrow(/cannot be read: .*ECONNREFUSED/)
  })

  test('is let go of when the process ends', async () => {
    const { server, mailbox } = await start()
    server.silence('EXAMINE')
    const reading = mailbox.read(undefined, 10).catch((error: Error) => error)
    await expect.poll(() => server.heard.some(said => said.startsWith('EXAMINE'))).toBe(true)
    await mailbox.close()
    expect(await reading).toBeInstanceOf(Error)
  })
})

function withFile(base64: string): string {
  return [
    'From: ada@customer.example',
    `In-Reply-To: ${OURS}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    base64,
    '--b--',
    '',
  ].join('\r\n')
}

function open(url: string, limits?: MailboxLimits & FetchLimits) {
  const mailbox = openMailbox({ url }, limits)
  closing.push(() => mailbox.close())
  return mailbox
}
