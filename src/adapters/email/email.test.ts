import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { MailUncertain, type Mail, type Mailer } from '#platform/ports/mail.ts'
import { freePort } from '#test/command-line.ts'
import { openOutbox } from './outbox.ts'
import { openSmtp, type SmtpLimits } from './smtp.ts'

const FROM = 'Rapport <crm@example.com>'
const letter: Mail = {
  to: 'ada@example.org',
  subject: 'Your meeting',
  text: 'See you on Monday.\n.\nA line with one dot comes before this one.',
  html: '<p>See you on <b>Monday</b>.</p>',
  message_id: '<6f1@rapport.example.com>',
}

const longest = `${'a'.repeat(64)}@${'b.'.repeat(90)}example`.padEnd(254, 'c')

/** An adapter, and everything that has arrived: bytes, and to whom where the way knows it. */
type Way = { mailer: Mailer; arrived(): Promise<{ bytes: Buffer; recipients: string[] | undefined }[]> }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const ways = {
  outbox: async (): Promise<Way> => {
    const folder = join(await temporaryFolder(), 'outbox')
    const mailer = openOutbox({ folder, from: FROM })
    const arrived = async () => {
      const names = await readdir(folder).catch(() => [])
      return await Promise.all(
        names.map(async name => ({ bytes: await readFile(join(folder, name)), recipients: undefined })),
      )
    }
    return { mailer, arrived }
  },
  smtp: async (): Promise<Way> => {
    const { url, arrived } = await startServer()
    return { mailer: smtp(url), arrived: async () => arrived }
  },
}

describe.each(Object.entries(ways))('%s', (kind, open) => {
  test('carries a mail whole: who, what, both bodies, its id and a date', async () => {
    const { mailer, arrived } = await open()
    expect(mailer.kind).toBe(kind)
    await mailer.check()
    const before = Date.now()
    await mailer.send(letter)
    const [only, ...others] = await arrived()
    expect(others).toEqual([])
    if (only!.recipients) expect(only!.recipients).toEqual([letter.to])
    const mail = await PostalMime.parse(only!.bytes)
    expect(mail).toMatchObject({
      from: { name: 'Rapport', address: 'crm@example.com' },
      to: [{ name: '', address: letter.to }],
      subject: letter.subject,
      messageId: letter.message_id,
    })
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text)
    expect(mail.html?.trim()).toBe(letter.html)
    expect(Date.parse(mail.date!)).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000)
    expect(mail.headers.map(header => header.key).toSorted()).toEqual([
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
  })

  test('carries every script, in the subject and in both bodies', async () => {
    const { mailer, arrived } = await open()
    const text = 'Grüße, 你好, مرحبا, 👩‍🚀 '.repeat(20).trim()
    await mailer.send({ ...letter, subject: text, text, html: `<p>${text}</p>` })
    const mail = await PostalMime.parse((await arrived())[0]!.bytes)
    expect(mail.subject).toBe(text)
    expect(mail.text?.trim()).toBe(text)
    expect(mail.html?.trim()).toBe(`<p>${text}</p>`)
  })

  test('finds a domain of another script by its wire form', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, to: 'ada@bücher.example' })
    const [only] = await arrived()
    const mail = await PostalMime.parse(only!.bytes)
    expect(only!.bytes.toString()).toContain('ada@xn--bcher-kva.example')
    expect(mail.to).toHaveLength(1)
    // The server of the tests turns the wire form back into what a person reads.
    if (only!.recipients) expect(only!.recipients).toEqual(['ada@bücher.example'])
  })

  test('puts the brackets round an id that comes without', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, message_id: '6f1@rapport.example.com' })
    expect((await PostalMime.parse((await arrived())[0]!.bytes)).messageId).toBe('<6f1@rapport.example.com>')
  })

  test('a body that looks like a header, an end of the mail or a file stays a body', async () => {
    const { mailer, arrived } = await open()
    const text = 'Bcc: eve@example.net\r\n.\r\nQUIT\r\nfile:///etc/passwd'
    await mailer.send({ ...letter, text, html: '<img src="file:///etc/passwd">' })
    const [only, ...others] = await arrived()
    const mail = await PostalMime.parse(only!.bytes)
    expect(others).toEqual([])
    expect(mail.bcc).toBeUndefined()
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(text.replaceAll('\r\n', '\n'))
    expect(mail.attachments).toEqual([])
  })

  test.for([
    'ada@example.org, eve@example.net',
    'ada@example.org; eve@example.net',
    'ada@example.org eve@example.net',
    'ada@example.org\r\nBcc: eve@example.net',
    'ada@example.org\nRCPT TO:<eve@example.net>',
    'ada@example.org\r',
    'ada@example.org>\r\nDATA',
    '"ada@example.org, eve"@example.net',
    '"eve@example.net"@example.org',
    'Ada <ada@example.org>',
    'friends: ada@example.org, eve@example.net;',
    'ada(eve@example.net)@example.org',
    '<ada@example.org> SIZE=1',
    'ada@eve@example.net',
    'ada@example.org\u2028eve@example.net',
    'ada@example.org\0',
    'ada',
    '@example.org',
    '',
    `${longest}x`,
  ])('refuses %j as a recipient, and nothing leaves', async to => {
    const { mailer, arrived } = await open()
    const refusal = await mailer.send({ ...letter, to }).catch((error: Error) => error)
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect(await arrived()).toEqual([])
  })

  test('takes the longest address there can be', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, to: longest })
    expect(await arrived()).toHaveLength(1)
  })

  test.for(['Hello\r\nBcc: eve@example.net', 'Hello\nX: y', 'Hello\rX: y', 'Hello\0', 'Hello'.padEnd(901)])(
    'refuses %j as a subject, and nothing leaves',
    async subject => {
      const { mailer, arrived } = await open()
      await expect(mailer.send({ ...letter, subject })).rejects.toThrow(/subject/i)
      expect(await arrived()).toEqual([])
    },
  )

  test('a subject at its limit is folded and whole', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, subject: 'x'.repeat(900) })
    expect((await PostalMime.parse((await arrived())[0]!.bytes)).subject).toBe('x'.repeat(900))
  })

  test.for(['<a@b>\r\nBcc: eve@example.net', '<a@b> <c@d>', 'no-at-sign', '<a b@c>'])(
    'refuses %j as a message id',
    async message_id => {
      const { mailer, arrived } = await open()
      await expect(mailer.send({ ...letter, message_id })).rejects.toThrow('message id')
      expect(await arrived()).toEqual([])
    },
  )
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
      expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z-[0-9a-f]{8}\.eml$/)
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

describe('a mail server', () => {
  test('that refuses the recipient is heard, and the next mail goes through', async () => {
    const { url, arrived } = await startServer({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('ada')
            ? null
            : Object.assign(new Error('No such person'), { responseCode: 550 }),
        ),
    })
    const mailer = smtp(url)
    const refusal = await mailer.send({ ...letter, to: 'eve@example.org' }).catch((error: Error) => error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect((refusal as Error).message).toContain('550 No such person')
    await mailer.send(letter)
    expect(arrived).toHaveLength(1)
  })

  test('that refuses the whole mail after reading it is certain as well', async () => {
    const { url } = await startServer({
      onData(stream, _session, done) {
        stream
          .resume()
          .on('end', () => done(Object.assign(new Error('Looks like spam'), { responseCode: 554 })))
      },
    })
    const refusal = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect((refusal as Error).message).toContain('554 Looks like spam')
  })

  test('that hangs up after the mail leaves it open whether it took it', async () => {
    const { url, taken } = await startRude(socket => socket.destroy())
    await expect(smtp(url).send(letter)).rejects.toThrow(MailUncertain)
    expect(taken()).toBe(1)
  })

  test('that falls silent after the mail leaves it open as well', async () => {
    const { url } = await startRude(() => {})
    await expect(smtp(url, { silenceMs: 200 }).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that speaks nonsense after the mail leaves it open as well', async () => {
    const { url } = await startRude(socket => socket.write('hello?\r\n'))
    await expect(smtp(url).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that never stops talking is left after a while', async () => {
    const { url } = await startRude(socket => {
      const timer = setInterval(() => socket.write('250-wait\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    await expect(smtp(url, { silenceMs: 5_000, sendMs: 300 }).send(letter)).rejects.toThrow(MailUncertain)
  })

  test('that hangs up before the mail has certainly not taken it', async () => {
    const { url } = await startRude(
      socket => socket.destroy(),
      socket => socket.destroy(),
    )
    const failure = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(MailUncertain)
  })

  test('that is down is a plain failure, which the check names', async () => {
    const mailer = smtp(`smtp://127.0.0.1:${await freePort()}`)
    await expect(mailer.check()).rejects.toThrow('ECONNREFUSED')
    const failure = await mailer.send(letter).catch((error: Error) => error)
    expect((failure as Error).message).toContain('ECONNREFUSED')
    expect(failure).not.toBeInstanceOf(MailUncertain)
  })

  test('lets in who has the password, and tells the check who has not', async () => {
    const { url, arrived } = await startServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        if (username === 'crm@example.com' && password === 'p:a/s s') return done(null, { user: username })
        done(new Error('Invalid username or password'))
      },
    })
    const as = (password: string) =>
      smtp(url.replace('//', `//${encodeURIComponent('crm@example.com')}:${encodeURIComponent(password)}@`))
    await as('p:a/s s').check()
    await as('p:a/s s').send(letter)
    expect(arrived).toHaveLength(1)
    await expect(as('wrong').check()).rejects.toThrow('Invalid username or password')
    await expect(as('wrong').send(letter)).rejects.toThrow('Invalid username or password')
  })

  test('elsewhere gets no password in the clear', async () => {
    let asked = false
    const { url } = await startServer({
      disabledCommands: ['STARTTLS'],
      onAuth(_auth, _session, done) {
        asked = true
        done(null, { user: 'crm' })
      },
    })
    // Also an address of this machine, but not by one of its own names.
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0')
    await expect(smtp(elsewhere.replace('//', '//crm:secret@')).check()).rejects.toThrow(/TLS/)
    expect(asked).toBe(false)
    await smtp(elsewhere).check()
  })
})

function smtp(url: string, limits?: SmtpLimits): Mailer {
  const mailer = openSmtp({ url, from: FROM }, limits)
  closing.push(() => mailer.close())
  return mailer
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-mail-'))
  closing.push(() => rm(folder, { recursive: true }))
  return folder
}

async function startServer(options: SMTPServerOptions = {}) {
  const arrived: { bytes: Buffer; recipients: string[] }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // What a server makes of an address is its own business: these tests are about what reaches it.
    lenientAddressParsing: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        arrived.push({ bytes: Buffer.concat(chunks), recipients })
        done()
      })
    },
    ...options,
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  closing.push(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, arrived }
}

/** A server of few words, which ends a session as told: once it has the whole mail, or at the command for it. */
async function startRude(atTheEnd: (socket: Socket) => void, atData?: (socket: Socket) => void) {
  let taken = 0
  const server = createServer(socket => {
    let text = ''
    let reading = false
    socket.on('error', () => {})
    socket.write('220 rude\r\n')
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = reading ? '\r\n.\r\n' : '\r\n'
      for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end)) {
        const said = text.slice(0, at)
        text = text.slice(at + end.length)
        if (reading) {
          taken++
          return atTheEnd(socket)
        }
        if (said === 'DATA' && atData) return atData(socket)
        reading = said === 'DATA'
        socket.write(reading ? '354 go on\r\n' : '250 fine\r\n')
        if (reading) return
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, taken: () => taken }
}
