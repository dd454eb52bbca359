import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { findDovecot, startDovecot } from '#test/dovecot.ts'
import { freePort } from '#test/programs.ts'
import { IMAP_PASSWORD, imapUrl, startImapServer, type ImapServer } from '#test/imap-server.ts'
import { openMailbox, type MailboxLimits } from './imap.ts'
import { mails, OURS } from './mails.harness.ts'

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

describe.each(Object.entries(servers))('a mailbox at %s', (_name, startServer) => {
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
    expect(await mailbox.read(next, 10)).toEqual({ mails: [], place: next })
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
      subjects.push(found.mails.map(mail => mail.subject))
    }
    expect(subjects).toEqual([['1', '2'], ['3', '4'], ['5'], []])
  })

  test('of a large mail the beginning is read', async () => {
    const { server, mailbox } = await start()
    const { place } = await mailbox.read(undefined, 10)
    const file = `${'A'.repeat(76)}\r\n`.repeat(20_000)
    const parts = [
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
      file,
      '--b--',
      '',
    ]
    await server.deliver(parts.join('\r\n'))
    expect((await mailbox.read(place, 10)).mails).toMatchObject([{ text: 'See the file.', answers: [OURS] }])
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
  async function start(limits?: MailboxLimits) {
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
    expect(await mailbox.read(found.place, 10)).toEqual({ mails: [], place: found.place })
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
    expect(await mailbox.read(found.place, 10)).toEqual({ mails: [], place: found.place })
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

function open(url: string, limits?: MailboxLimits) {
  const mailbox = openMailbox({ url }, limits)
  closing.push(() => mailbox.close())
  return mailbox
}
