import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { HeldBack, MailRefused, MailUncertain, type Mail, type Mailer } from '#platform/ports/mail.ts'
import { freePort } from '#test/command-line.ts'
import { openOutbox } from './outbox.ts'
import { openOutboxLog } from './outbox-log.ts'
import { openSmtp, type Dkim, type SmtpLimits } from './smtp.ts'

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

  test('reads alike whether it needs encoding or not, also at the longest line and with every turn of the head', async () => {
    const { mailer, arrived } = await open()
    const head = {
      from_name: 'Ada "the" \\ Countess, <x>',
      reply_to: 'ada@example.com',
      thread: Array.from({ length: 30 }, (_, n) => `<${n}.${'t'.repeat(60)}@rapport.example.com>`),
      unsubscribe_url: 'https://rapport.example.com/u/abc',
    }
    const bodies = [996, 997, 998, 1_200].map(length => ['x'.repeat(length), 'a\r\nb\n.\n..c'].join('\n'))
    for (const text of bodies) await mailer.send({ ...letter, ...head, text, html: `<p>\n${text}\n</p>` })
    for (const text of bodies)
      await mailer.send({ ...letter, ...head, text: `${text} ü`, html: `<p>\n${text} ü\n</p>` })
    const mails = await Promise.all((await arrived()).map(({ bytes }) => PostalMime.parse(bytes)))
    expect(mails).toHaveLength(2 * bodies.length)
    const told = ({ from, to, replyTo, subject, messageId, inReplyTo, references }: Email) => {
      const ids = references?.split(/\s+/)
      return { from, to, replyTo, subject, messageId, inReplyTo, ids }
    }
    for (const mail of mails) {
      expect(told(mail)).toEqual(told(mails[0]!))
      expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value).toBe(
        `<${head.unsubscribe_url}>`,
      )
    }
    const seen = mails.map(({ text }) => text!.replaceAll('\r\n', '\n').replace(' ü', '').trim()).toSorted()
    const meant = bodies.map(text => text.replaceAll('\r\n', '\n')).toSorted()
    expect(seen).toEqual(meant.flatMap(text => [text, text]))
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

describe.each(Object.entries(ways))('a letter of a person, by %s', (_kind, open) => {
  const sendOne = async (more: Partial<Mail>) => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, ...more })
    const [only, ...others] = await arrived()
    expect(others).toEqual([])
    return { bytes: only!.bytes.toString(), mail: await PostalMime.parse(only!.bytes), only: only! }
  }
  const headerOf = (mail: Awaited<ReturnType<typeof sendOne>>['mail'], key: string) =>
    mail.headers.filter(header => header.key === key).map(header => header.value)

  test('has the name of who writes beside the address of the installation, and where answers go', async () => {
    const { mail, only } = await sendOne({ from_name: 'Grace Hopper', reply_to: 'replies+7@example.com' })
    expect(mail.from).toEqual({ name: 'Grace Hopper', address: 'crm@example.com' })
    expect(mail.replyTo).toEqual([{ name: '', address: 'replies+7@example.com' }])
    if (only.recipients) expect(only.recipients).toEqual([letter.to])
  })

  test.for([
    ['Grace\r\nBcc: eve@example.net', 'Grace Bcc: eve@example.net'],
    ['Grace\u2028\0\tHopper', 'Grace Hopper'],
    ['Hopper, Grace', 'Hopper, Grace'],
    ['Grace "Amazing" Hopper', 'Grace "Amazing" Hopper'],
    ['Grace \\" <eve@example.net>', 'Grace \\" <eve@example.net>'],
    ['eve@example.net>', 'eve@example.net>'],
    ['Zoë 你好 👩‍🚀', 'Zoë 你好 👩‍🚀'],
    ['\u202egrace', 'grace'],
    ['x'.repeat(101), 'x'.repeat(100)],
    ['', ''],
  ])('the name %j changes no other header', async ([from_name, name]) => {
    const { mail, bytes } = await sendOne({ from_name })
    expect(mail.from).toEqual({ name, address: 'crm@example.com' })
    expect(mail.to).toEqual([{ name: '', address: letter.to }])
    expect(mail.bcc).toBeUndefined()
    expect(bytes).not.toMatch(/^Bcc:/im)
  })

  test('answers the last mail of its conversation, and names them all', async () => {
    const { mail } = await sendOne({ thread: ['<1@x.example>', '2@x.example', '<3@x.example>'] })
    expect(mail.inReplyTo).toBe('<3@x.example>')
    expect(mail.references).toBe('<1@x.example> <2@x.example> <3@x.example>')
  })

  test('of a long conversation the first and the last nineteen are named', async () => {
    const thread = Array.from({ length: 21 }, (_, at) => `<${at}@x.example>`)
    const { mail } = await sendOne({ thread })
    expect(mail.references!.split(' ')).toEqual([thread[0], ...thread.slice(2)])
    expect((await sendOne({ thread: thread.slice(1) })).mail.references!.split(' ')).toEqual(thread.slice(1))
    expect((await sendOne({ thread: [] })).mail.references).toBeUndefined()
  })

  test('offers one click to unsubscribe, at an address that stays in one piece', async () => {
    const url = `https://crm.example.com/u/${'a'.repeat(200)}?team=1&to=ada%40example.org`
    const { mail, bytes } = await sendOne({ unsubscribe_url: url })
    expect(headerOf(mail, 'list-unsubscribe')).toEqual([`<${url}>`])
    expect(headerOf(mail, 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(bytes).toContain(`List-Unsubscribe: <${url}>\r\n`)
  })

  test('an address to unsubscribe at cannot end its header', async () => {
    const { bytes } = await sendOne({ unsubscribe_url: 'https://x.example/>\r\nBcc: eve@example.net' })
    expect(bytes).not.toMatch(/^Bcc:/im)
    expect(bytes).toContain('List-Unsubscribe: <https://x.example/%3EBcc:%20eve@example.net>\r\n')
  })

  test.for<[string, Partial<Mail>]>([
    ['a second address to answer to', { reply_to: 'a@example.com, eve@example.net' }],
    ['an address to answer to with a line end', { reply_to: 'a@example.com\r\nBcc: eve@example.net' }],
    ['an earlier mail with a line end', { thread: ['<1@x.example>\r\nBcc: eve@example.net'] }],
    ['an earlier mail that is none', { thread: ['<1@x.example>', 'yesterday'] }],
    ['a script to unsubscribe with', { unsubscribe_url: 'javascript:alert(1)' }],
    ['no address to unsubscribe at', { unsubscribe_url: 'unsubscribe' }],
    ['an address of endless length', { unsubscribe_url: `https://x.example/${'a'.repeat(900)}` }],
  ])('%s is refused, and nothing leaves', async ([, more]) => {
    const { mailer, arrived } = await open()
    const refusal = await mailer.send({ ...letter, ...more }).catch((error: Error) => error)
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    expect(await arrived()).toEqual([])
  })

  test('is held back at the last moment when it may not go, and the next one goes', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, subject: 'Before' }, { mayGo: () => true })
    await expect(mailer.send(letter, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    await mailer.send({ ...letter, subject: 'After' })
    const subjects = await Promise.all(
      (await arrived()).map(async ({ bytes }) => (await PostalMime.parse(bytes)).subject),
    )
    expect(subjects.toSorted()).toEqual(['After', 'Before'])
  })
})

describe.each(Object.entries(ways))('a mail with files, by %s', (_kind, open) => {
  const pdf = { name: 'INV-7.pdf', type: 'application/pdf', bytes: Buffer.from([0x25, 0, 0xff, 13, 10, 46]) }

  test('carries each of them to the byte, beside both bodies', async () => {
    const { mailer, arrived } = await open()
    const large = { ...pdf, name: 'Größe 2.pdf', bytes: Buffer.alloc(200_000, 'x\r\n.\r\n') }
    await mailer.send({ ...letter, attachments: [pdf, large] })
    const mail = await PostalMime.parse((await arrived())[0]!.bytes)
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text)
    expect(mail.html?.trim()).toBe(letter.html)
    const files = mail.attachments.map(({ filename, mimeType, disposition, content }) => ({
      filename,
      mimeType,
      disposition,
      bytes: Buffer.from(content as ArrayBuffer),
    }))
    const kind = { mimeType: 'application/pdf', disposition: 'attachment' }
    expect(files).toEqual([
      { ...kind, filename: 'INV-7.pdf', bytes: pdf.bytes },
      { ...kind, filename: 'Größe 2.pdf', bytes: large.bytes },
    ])
  })

  test('a name cannot end its header, and a type that is none is refused', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({
      ...letter,
      attachments: [{ ...pdf, name: 'a"; x=y\r\nBcc: eve@example.net\r\n\r\n.pdf' }],
    })
    const mail = await PostalMime.parse((await arrived())[0]!.bytes)
    expect(mail.bcc).toBeUndefined()
    expect(mail.attachments).toMatchObject([{ filename: 'a"; x=y Bcc: eve@example.net .pdf' }])
    for (const type of ['application/pdf\r\nBcc: eve@example.net', 'pdf', 'text/html; charset=x', ''])
      await expect(mailer.send({ ...letter, attachments: [{ ...pdf, type }] })).rejects.toThrow(
        'Not a media type',
      )
    expect(await arrived()).toHaveLength(1)
  })
})

describe.each(Object.entries(ways))('a mail with an invitation, by %s', (_kind, open) => {
  const ics = 'BEGIN:VCALENDAR\r\nSUMMARY:Grüße\r\n.\r\nEND:VCALENDAR\r\n'

  test('has it as a third body that says what is to be done with it, and as a file to the byte', async () => {
    const { mailer, arrived } = await open()
    await mailer.send({ ...letter, calendar: { method: 'REQUEST', ics } })
    const bytes = (await arrived())[0]!.bytes.toString()
    expect(bytes).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r$/m)
    expect(bytes).toContain(Buffer.from(ics).toString('base64'))
    const mail = await PostalMime.parse(bytes)
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text)
    expect(mail.html?.trim()).toBe(letter.html)
    expect(mail.attachments.map(({ mimeType, filename }) => ({ mimeType, filename }))).toEqual([
      { mimeType: 'text/calendar', filename: null },
      { mimeType: 'application/ics', filename: 'meeting.ics' },
    ])
  })

  test('cannot end its header by its method, and nothing in it is a header', async () => {
    const { mailer, arrived } = await open()
    const method = 'REQUEST\r\nBcc: eve@example.net' as 'REQUEST'
    await expect(mailer.send({ ...letter, calendar: { method, ics } })).rejects.toThrow('method')
    await mailer.send({
      ...letter,
      calendar: { method: 'CANCEL', ics: `\r\n\r\nBcc: eve@example.net\r\n${ics}` },
    })
    const mails = await arrived()
    expect(mails).toHaveLength(1)
    const mail = await PostalMime.parse(mails[0]!.bytes)
    expect([mail.bcc, mail.to]).toEqual([undefined, [{ name: '', address: letter.to }]])
  })
})

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

  test.for<[string, number, string, boolean | undefined]>([
    ['RCPT', 550, 'No such person', true],
    ['RCPT', 551, 'Moved away', true],
    ['RCPT', 553, 'No such name', true],
    ['RCPT', 550, '5.1.1 User unknown', true],
    ['RCPT', 552, '5.1.2 Bad system', true],
    ['RCPT', 550, '5.2.1 Disabled', true],
    ['RCPT', 552, '5.2.2 Mailbox full', false],
    ['RCPT', 550, '5.7.1 Relaying denied', false],
    ['RCPT', 550, '5.1.8 Bad sender', false],
    ['RCPT', 554, 'Your network is listed', false],
    ['RCPT', 450, '4.2.1 Greylisted', undefined],
    ['RCPT', 421, 'Too busy', undefined],
    ['RCPT', 503, 'Out of step', undefined],
    ['MAIL', 550, 'Sender refused', undefined],
    ['DATA', 554, '5.7.1 Looks like spam', false],
    ['DATA', 550, '5.1.1 User unknown', true],
    ['DATA', 550, 'Unwanted', false],
    ['DATA', 451, '4.3.0 Later', undefined],
  ])('that says no at %s with %d %s', async ([where, responseCode, words, address]) => {
    const no = () => Object.assign(new Error(words), { responseCode })
    const { url } = await startServer({
      hideENHANCEDSTATUSCODES: true,
      ...(where === 'MAIL' && { onMailFrom: (_address, _session, done) => done(no()) }),
      ...(where === 'RCPT' && { onRcptTo: (_address, _session, done) => done(no()) }),
      ...(where === 'DATA' && {
        onData: (stream, _session, done) => void stream.resume().on('end', () => done(no())),
      }),
    })
    const refusal = await smtp(url)
      .send(letter)
      .catch((error: Error) => error)
    expect((refusal as Error).message).toContain(`${responseCode} ${words}`)
    expect(refusal).not.toBeInstanceOf(MailUncertain)
    if (address === undefined) expect(refusal).not.toBeInstanceOf(MailRefused)
    else expect(refusal).toMatchObject({ constructor: MailRefused, address })
  })

  test('is asked for its leave first; a mail that is then held back is no mail to it', async () => {
    const heard: string[] = []
    const { url, taken } = await startRude(socket => socket.write('250 taken\r\n'), undefined, heard)
    const mailer = smtp(url)
    let asked = 0
    const mayGo = () => {
      // The server has said that the mail may come: DATA was the last it heard of us.
      expect(heard.at(-1)).toBe('DATA')
      asked++
      return false
    }
    await expect(mailer.send(letter, { mayGo })).rejects.toBeInstanceOf(HeldBack)
    expect(asked).toBe(1)
    await expect.poll(() => heard.at(-1)).toBe('hung up')
    expect(heard).not.toContain('.')
    expect(taken()).toBe(0)
  })

  test('is not sent what nobody waits for any more', async () => {
    const heard: string[] = []
    let answer = () => {}
    const { url, taken } = await startRude(
      socket => (answer = () => void socket.write('250 taken\r\n')),
      undefined,
      heard,
    )
    const mailer = smtp(`${url}?maxConnections=1`, { sendMs: 1_500 })
    const first = mailer.send(letter).catch((error: Error) => error)
    const second = await mailer.send(letter).catch((error: Error) => error)
    expect(await first).toBeInstanceOf(MailUncertain)
    expect(second).not.toBeInstanceOf(MailUncertain)
    expect((second as Error).message).toContain('No response within')
    answer()
    await expect.poll(() => heard.at(-1)).toBe('hung up')
    expect(heard.filter(said => said === 'DATA')).toHaveLength(2)
    expect(taken()).toBe(1)
  })

  test('gets ten connections, or as many as its address says', () => {
    expect(smtp('smtp://127.0.0.1:1').lanes).toBe(10)
    expect(smtp('smtp://127.0.0.1:1?maxConnections=3').lanes).toBe(3)
  })

  test('that hangs up after the mail leaves it open whether it took it', async () => {
    const { url, taken } = await startRude(socket => socket.destroy())
    await expect(smtp(url).send(letter)).rejects.toThrow(MailUncertain)
    expect(taken()).toBe(1)
  })

  test('that falls silent after the mail leaves it open as well', async () => {
    const { url } = await startRude(() => {})
    await expect(smtp(url, { silenceMs: 1_000 }).send(letter)).rejects.toThrow(MailUncertain)
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
    await expect(smtp(url, { silenceMs: 5_000, sendMs: 1_500 }).send(letter)).rejects.toThrow(MailUncertain)
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

describe('a signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const dkim: Dkim = {
    domain: 'example.com',
    selector: 'crm',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }

  test('is over the body and over what says who, to whom, what and how to unsubscribe', async () => {
    const { url, arrived } = await startServer()
    await smtp(url, undefined, dkim).send({
      ...letter,
      from_name: 'Zoë "Z" Hopper',
      subject: 'Grüße '.repeat(30),
      text: 'Two  spaces,\ttabs  \n\n.\n\nGrüße\n\n\n',
      reply_to: 'zoe@example.com',
      thread: ['<1@x.example>'],
      unsubscribe_url: 'https://crm.example.com/u/1',
    })
    const bytes = arrived[0]!.bytes
    expect(verified(bytes)).toEqual({
      signature: true,
      body: true,
      tags: expect.objectContaining({ d: 'example.com', s: 'crm', a: 'rsa-sha256', c: 'relaxed/relaxed' }),
    })
    const names = verified(bytes).tags['h']!.split(':')
    for (const name of [
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'reply-to',
      'in-reply-to',
      'references',
    ])
      expect(names).toContain(name)
    expect(names).toContain('list-unsubscribe')
    expect(names).toContain('list-unsubscribe-post')
    const text = bytes.toString('latin1')
    expect(verified(Buffer.from(text.replace('/u/1>', '/u/2>'), 'latin1')).signature).toBe(false)
    // With its spaces, which no signature has: three letters alone stand in one of a thousand signatures.
    expect(verified(Buffer.from(text.replace('Two  ', 'Ten  '), 'latin1')).body).toBe(false)
  })

  test('does not keep a mail from being held back', async () => {
    const { url, arrived } = await startServer()
    const mailer = smtp(url, undefined, dkim)
    await expect(mailer.send(letter, { mayGo: () => false })).rejects.toBeInstanceOf(HeldBack)
    await mailer.send(letter)
    expect(arrived).toHaveLength(1)
    expect(verified(arrived[0]!.bytes)).toMatchObject({ signature: true, body: true })
  })

  /** As a receiver does it by RFC 6376, relaxed for both parts. */
  function verified(bytes: Buffer): { signature: boolean; body: boolean; tags: Record<string, string> } {
    const [head, body] = splitOnce(bytes.toString('latin1'), '\r\n\r\n')
    const fields = head.split(/\r\n(?![ \t])/).map(field => splitOnce(field, ':'))
    const relaxed = (value: string) =>
      value
        .replace(/\r\n/g, '')
        .replace(/[ \t]+/g, ' ')
        .trim()
    const own = fields.find(([name]) => name.toLowerCase() === 'dkim-signature')![1]
    const tags = Object.fromEntries(
      own.split(';').map(tag => splitOnce(tag.replace(/\s+/g, ''), '=')),
    ) as Record<string, string>
    const signed = tags['h']!.split(':').map(
      name => `${name}:${relaxed(fields.findLast(([field]) => field.toLowerCase() === name)![1])}\r\n`,
    )
    const last = `dkim-signature:${relaxed(own.replace(/(;\s*b=)[^;]*$/, '$1'))}`
    const text = body
      .replace(/[ \t]+(?=\r\n)/g, '')
      .replace(/[ \t]+/g, ' ')
      .replace(/(?:\r\n)*$/, '\r\n')
    return {
      signature: createVerify('RSA-SHA256')
        .update(signed.join('') + last, 'latin1')
        .verify(publicKey, tags['b']!, 'base64'),
      body: createHash('sha256').update(text, 'latin1').digest('base64') === tags['bh'],
      tags,
    }
  }
})

function splitOnce(text: string, at: string): [string, string] {
  const place = text.indexOf(at)
  return [text.slice(0, place), text.slice(place + at.length)]
}

function smtp(url: string, limits?: SmtpLimits, dkim?: Dkim): Mailer {
  const mailer = openSmtp({ url, from: FROM, dkim }, limits)
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
async function startRude(
  atTheEnd: (socket: Socket) => void,
  atData?: (socket: Socket) => void,
  heard: string[] = [],
) {
  let taken = 0
  const server = createServer(socket => {
    let text = ''
    let reading = false
    socket.on('error', () => {})
    socket.on('end', () => heard.push('hung up'))
    socket.write('220 rude\r\n')
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = reading ? '\r\n.\r\n' : '\r\n'
      for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end)) {
        const said = text.slice(0, at)
        text = text.slice(at + end.length)
        heard.push(reading ? '.' : said)
        if (reading) {
          taken++
          reading = false
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
