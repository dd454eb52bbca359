import PostalMime, { type Email } from 'postal-mime'
import { afterEach, describe, expect, test } from 'vitest'
import { HeldBack, MailUncertain, type Mail } from '#platform/ports/mail.ts'
import { composeCopy } from './copy.ts'
import { closeAll, letter, ways } from './email.harness.ts'

const longest = `${'a'.repeat(64)}@${'b.'.repeat(90)}example`.padEnd(254, 'c')

afterEach(closeAll)

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

describe.each(Object.entries(ways))('a mail to several, by %s', (_kind, open) => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `${name}${at}@${name}.example`)

  test.for(['Plainly', 'Größe'])('shows To and Cc, hides Bcc, and goes to each once: %s', async subject => {
    const { mailer, arrived } = await open()
    const cc = ['bob@example.org', 'Carol@example.org', 'bob@example.org']
    const bcc = ['eve@example.net', 'carol@example.org', 'ada@example.org']
    expect(await mailer.send({ ...letter, subject, cc, bcc })).toEqual({ refused: [] })
    const [only, ...others] = await arrived()
    expect(others).toEqual([])
    const envelope = ['ada@example.org', 'bob@example.org', 'Carol@example.org', 'eve@example.net']
    if (only!.recipients) expect(only!.recipients).toEqual(envelope)
    const mail = await PostalMime.parse(only!.bytes)
    expect(mail.to).toEqual([{ name: '', address: 'ada@example.org' }])
    expect(mail.cc).toEqual(cc.map(address => ({ name: '', address })))
    expect(mail.bcc).toBeUndefined()
    expect(only!.bytes.toString()).not.toMatch(/^bcc:|eve@example\.net/im)
  })

  test.for(['Plainly', 'Größe'])('takes a hundred and no more: %s', async subject => {
    const { mailer, arrived } = await open()
    const cc = many(50, 'seen')
    await mailer.send({ ...letter, subject, cc, bcc: many(49, 'hidden') })
    const [only] = await arrived()
    if (only!.recipients) expect(only!.recipients).toHaveLength(100)
    expect((await PostalMime.parse(only!.bytes)).cc).toHaveLength(50)
    for (const line of only!.bytes.toString().split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    await expect(mailer.send({ ...letter, subject, cc, bcc: many(50, 'hidden') })).rejects.toThrow(
      'at most 100 recipients',
    )
    expect(await arrived()).toHaveLength(1)
  })

  test.for<['cc' | 'bcc', string]>([
    ['cc', 'bob@example.org, eve@example.net'],
    ['cc', 'bob@example.org\r\nBcc: eve@example.net'],
    ['cc', 'Bob <bob@example.org>'],
    ['bcc', 'bob@example.org>\r\nDATA'],
    ['bcc', 'friends: bob@example.org;'],
    ['bcc', ''],
  ])('refuses as %s: %j', async ([field, address]) => {
    const { mailer, arrived } = await open()
    await expect(mailer.send({ ...letter, [field]: ['carol@example.org', address] })).rejects.toThrow(
      'Not a single email address',
    )
    expect(await arrived()).toEqual([])
  })

  test('was written when it says', async () => {
    const { mailer, arrived } = await open()
    const date = '2026-01-02T03:04:05.000Z'
    for (const subject of ['Plainly', 'Größe']) await mailer.send({ ...letter, subject, date })
    await expect(mailer.send({ ...letter, date: 'yesterday' })).rejects.toThrow('Not a time')
    const dates = (await arrived()).map(async ({ bytes }) =>
      Date.parse((await PostalMime.parse(bytes)).date!),
    )
    expect(await Promise.all(dates)).toEqual([Date.parse(date), Date.parse(date)])
  })
})

describe('the copy of a mail that was sent', () => {
  test.for(['Plainly', 'Größe'])('shows its sender whom nobody else sees: %s', async subject => {
    const bcc = ['eve@example.net', 'mallory@example.net']
    const sender = { name: 'Grace Hopper', address: 'grace@example.com' }
    const bytes = await composeCopy({ ...letter, subject, cc: ['bob@example.org'], bcc }, sender)
    const mail = await PostalMime.parse(bytes)
    expect(mail).toMatchObject({
      from: sender,
      to: [{ address: letter.to }],
      cc: [{ address: 'bob@example.org' }],
      bcc: bcc.map(address => ({ name: '', address })),
      messageId: letter.message_id,
      subject,
    })
    expect(mail.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text)
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
