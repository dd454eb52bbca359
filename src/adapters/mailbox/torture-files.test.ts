import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readIncoming } from './incoming.ts'
import { mails } from './mails.harness.ts'
import { tnef, tnefFile } from './tnef.harness.ts'
import { reading } from './torture.harness.ts'

const { read, mixed } = reading
const BASE64 = 'Content-Transfer-Encoding: base64'

describe('words', () => {
  const cyrillic = [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]
  test.for<[string, string, number[] | string]>([
    ['iso-2022-jp', '日本', '\u001B$BF|K\\\u001B(B'],
    ['ISO-2022-JP-2', '日本', '\u001B$BF|K\\\u001B(B'],
    ['us-ascii', '日本', '\u001B$BF|K\\\u001B(B'],
    ['koi8-r', 'Привет', cyrillic],
    ['"KOI8-R" (Russian)', 'Привет', cyrillic],
    ['gb18030', '中文', [0xd6, 0xd0, 0xce, 0xc4]],
    ['gb2312', '中文', [0xd6, 0xd0, 0xce, 0xc4]],
    ['x-cp932', '日', [0x93, 0xfa]],
    ['utf-16le', 'Hi', [0x48, 0, 0x69, 0]],
    ['utf-7', 'Hi +Mom £5', 'Hi +-Mom +AKM-5'],
    ['windows-1252', '“€”', [0x93, 0x80, 0x94]],
    ['iso-8859-1', '“€”', [0x93, 0x80, 0x94]],
    ['utf-8', 'Grüße', [...Buffer.from('Grüße', 'latin1')]],
    ['us-ascii', 'Grüße', [...Buffer.from('Grüße')]],
    ['unknown-8bit', 'Grüße', [...Buffer.from('Grüße', 'latin1')]],
    ['x-nobody-knows', 'Grüße', [...Buffer.from('Grüße')]],
    ['utf-8', 'éèàùç\uFFFD', [...Buffer.from('éèàùç'), 0xc3]],
    ['hz-gb-2312', 'plain', 'plain'],
  ])('in %s are %s', ([charset, text, content]) => {
    const head = `From: a@x.example\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`
    expect(
      readIncoming(Buffer.concat([Buffer.from(head), Buffer.from(content as string)]), new Date()).text,
    ).toBe(text)
  })

  test.for<[string, string[], string]>([
    ['base64 with rubbish in it', [BASE64, '', 'SGVs!!bG8', ' gd*29y bGQ=', ''], 'Hello world'],
    ['base64 that is padded line by line', [BASE64, '', 'SGVsbG8=', 'IHdvcmxk', 'IQ=='], 'Hello world!'],
    ['base64 without its end', [BASE64, '', 'SGVsbG8gd29ybG'], 'Hello worl'],
    [
      'quoted-printable',
      ['Content-Transfer-Encoding: Quoted-Printable', '', 'Hello =', 'wor=6cd =3D =XY= ', 'and  ', 'end='],
      'Hello world = =XYand\nend',
    ],
    ['an encoding with a comment', ['Content-Transfer-Encoding: (yes) "base64"', '', 'SGVsbG8='], 'Hello'],
    ['an unknown encoding', ['Content-Transfer-Encoding: x-new', '', 'Hello'], 'Hello'],
    [
      'format=flowed',
      [
        'Content-Type: text/plain; format=flowed',
        '',
        'One ',
        'line',
        '> quoted ',
        '> goes on',
        ' From',
        '-- ',
        'Ada',
      ],
      'One line\n> quoted goes on\nFrom\n-- \nAda',
    ],
    [
      'delsp=yes',
      ['Content-Type: text/plain; format=flowed; delsp=yes', '', 'Donau', 'dampf ', 'schiff'],
      'Donau\ndampfschiff',
    ],
  ])('sent as %s are read', ([, lines, text]) => {
    expect(read('From: a@x.example', ...lines).whole).toBe(text)
  })
})

describe('a file', () => {
  const named = (...lines: string[]) =>
    mixed(['', 'Hello'], [...lines, '', 'x']).files.map(({ name }) => name)

  test.for<[string, string[]]>([
    ['a b.pdf', ['Content-Disposition: attachment; filename="a b.pdf"']],
    ['a.pdf', ['Content-Disposition: attachment', 'Content-Type: application/pdf; name=a.pdf']],
    [
      'Bücher und mehr.pdf',
      [
        'Content-Disposition: attachment; filename*0*=utf-8\'\'B%C3; filename*1*=%BCcher; filename*2=" und mehr.pdf"',
      ],
    ],
    [
      'Bücher.pdf',
      [
        "Content-Disposition: attachment; filename*1*=cher.pdf;\r\n filename*0*=iso-8859-1'de'B%FC; filename=other.pdf",
      ],
    ],
    ['Bücher.pdf', ['Content-Disposition: attachment; filename="=?utf-8?Q?B=C3=BCcher.pdf?="']],
    ['bill(1).pdf', ['Content-Disposition: attachment; filename=bill(1).pdf']],
    ['passwd', ['Content-Disposition: attachment; filename="../../etc/passwd"']],
    ['evil.exe', ['Content-Disposition: attachment; filename="C:\\Users\\me\\evil.exe"']],
    ['file.txt', ['Content-Disposition: attachment; filename=".."']],
    ['invoicefdp.exe', ["Content-Disposition: attachment; filename*=utf-8''invoice%E2%80%AEfdp.exe"]],
    ['ab.pdf', ["Content-Disposition: attachment; filename*=utf-8''a%00%0D%0Ab.pdf"]],
    ['file.png', ['Content-Disposition: attachment', 'Content-Type: image/png']],
    ['file', ['Content-Disposition: attachment', 'Content-Type: application/x-unknown']],
    ['notes', ['Content-Disposition: inline; filename=notes', 'Content-Type: text/plain']],
    ['notes.html', ['Content-Disposition: inline; filename=notes', 'Content-Type: text/html']],
  ])('is called %s', ([name, lines]) => {
    expect(named(...lines)).toEqual([name])
  })

  test('has a name of at most 200 characters, with its extension', () => {
    const name = (length: number) =>
      named(`Content-Disposition: attachment; filename="${'ä'.repeat(length - 4)}.pdf"`)[0]!
    expect([name(200).length, name(201).length]).toEqual([200, 200])
    expect(name(300)).toBe(`${'ä'.repeat(196)}.pdf`)
    expect(named(`Content-Disposition: attachment; filename="${'😀'.repeat(150)}.pdf"`)[0]).toBe(
      `${'😀'.repeat(98)}.pdf`,
    )
  })

  test('of a type that is none is of any', () => {
    const [found] = mixed([
      'Content-Disposition: attachment; filename=a',
      'Content-Type: a b/<c>',
      '',
      'x',
    ]).files
    expect(found).toMatchObject({ name: 'a', type: 'application/octet-stream' })
  })

  test('of 25 MB is the same as it was sent', () => {
    const bytes = randomBytes(25 * 1024 * 1024)
    const sent = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
    const { files, text } = mixed(
      ['', 'Hello'],
      ['Content-Disposition: attachment; filename=a.bin', BASE64, '', sent],
    )
    expect(text).toBe('Hello')
    expect(bytes.equals(files[0]!.bytes)).toBe(true)
  })

  test.for<[string, string]>([
    ['text/calendar; method=REQUEST', 'file.ics'],
    ['text/calendar; name="meeting.ics"', 'meeting.ics'],
    ['application/ics; name=Besprechung', 'Besprechung.ics'],
  ])('is an invitation in %s: %s', ([type, name]) => {
    const invite = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'END:VCALENDAR']
    const { files, text } = mixed(['', 'Join us'], [`Content-Type: ${type}`, '', ...invite])
    expect([text, files.map(found => found.name)]).toEqual(['Join us', [name]])
    expect(Buffer.from(files[0]!.bytes).toString()).toBe(invite.join('\r\n'))
  })

  test('that is the same invitation as another is kept once, under its name', () => {
    const invite = Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')
    const { files } = mixed(
      ['Content-Type: text/calendar; charset=utf-8', '', 'BEGIN:VCALENDAR', 'END:VCALENDAR'],
      ['Content-Type: application/ics; name=invite.ics', BASE64, '', invite.toString('base64')],
    )
    expect(files.map(({ name }) => name)).toEqual(['invite.ics'])
  })

  test('is what somebody forwarded, with all that it has', () => {
    const forwarded = ['From: b@x.example', 'Subject: =?utf-8?Q?Angebot_=2F_M=C3=A4rz?=', '', 'Old words']
    const { files, text } = mixed(
      ['', 'See below'],
      ['Content-Type: message/rfc822', 'Content-Disposition: inline', '', ...forwarded],
    )
    expect(text).toBe('See below')
    expect(files).toMatchObject([{ name: 'Angebot - März.eml', type: 'message/rfc822' }])
    expect(Buffer.from(files[0]!.bytes).toString()).toBe(forwarded.join('\r\n'))
  })

  test('in a text, as old programs set it there, is a file', () => {
    const { text, files } = read(
      'From: a@x.example',
      '',
      'Here:',
      'begin 644 a b.txt',
      '+:&5L;&\\@=V]R;&0',
      '`',
      'end',
      'Bye',
    )
    expect(text).toBe('Here:\nBye')
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['a b.txt', 'hello world'],
    ])
  })

  test.for([
    'begin 644 a.txt\r\nno such line at all, and much too long for one\r\nend',
    'begin 644 a.txt\r\n#86)C',
    'begin 7 days from now\r\nend',
  ])('is not %j', words => {
    expect(read('From: a@x.example', '', words)).toMatchObject({
      files: [],
      whole: words.replaceAll('\r\n', '\n'),
    })
  })
})

describe('winmail.dat', () => {
  const packed = (container: Buffer, ...parts: string[][]) =>
    mixed(...parts, [
      'Content-Type: application/ms-tnef; name=winmail.dat',
      BASE64,
      '',
      container.toString('base64'),
    ])

  test('is unpacked into its files', () => {
    const { text, files } = packed(tnef([tnefFile('REPORT~1.PDF', 'Report für Ada.pdf', 'content')]), [
      '',
      'Hello',
    ])
    expect(text).toBe('Hello')
    expect(files).toEqual([
      {
        name: 'Report für Ada.pdf',
        type: 'application/pdf',
        content_id: 'img1',
        bytes: new Uint8Array(Buffer.from('content')),
      },
    ])
  })

  test('has the words where nothing else has them', () => {
    expect(packed(tnef([], { text: 'Grüße' })).text).toBe('Grüße')
    expect(packed(tnef([], { text: 'Grüße' }), ['', 'Hello']).text).toBe('Hello')
    expect(packed(tnef([], { html: '<b>Hi</b>' }), ['', 'Hello'])).toMatchObject({
      text: 'Hello',
      html: '<b>Hi</b>',
    })
  })

  test('with formatted words only has them as a file', () => {
    // The example of the specification of compressed RTF.
    const hex =
      '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c0900206277 05b06c647d0a800fa0'
    const rtf = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    const [file] = packed(tnef([], { rtf })).files
    expect(file).toMatchObject({ name: 'message.rtf', type: 'application/rtf' })
    expect(Buffer.from(file!.bytes).toString()).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
    expect(packed(tnef([], { rtf, text: 'Hello' })).files).toEqual([])
  })

  test.for<[string, Buffer]>([
    ['ends early', tnef([tnefFile('a', 'a.pdf', 'content')]).subarray(0, -8)],
    ['is something else', Buffer.from('MZ\0\0 nothing of the kind')],
    ['is empty', Buffer.alloc(0)],
  ])('that %s is kept as the file it is', ([, container]) => {
    const { files } = packed(container, ['', 'Hello'])
    expect(files).toMatchObject([{ name: 'winmail.dat', bytes: new Uint8Array(container) }])
  })
})

describe('a mail that is', () => {
  test('signed keeps its words, and the signature as a file', () => {
    const signed = (protocol: string) =>
      read(
        'From: a@x.example',
        `Content-Type: multipart/signed; protocol="${protocol}"; boundary=b`,
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--b',
        `Content-Type: ${protocol}`,
        '',
        'SIGNATURE',
        '--b--',
      )
    expect(signed('application/pgp-signature')).toMatchObject({
      text: 'Hello',
      files: [{ name: 'file.asc' }],
    })
    expect(signed('application/pkcs7-signature')).toMatchObject({
      text: 'Hello',
      files: [{ name: 'file.p7s' }],
    })
  })

  test('encrypted says so, and is kept as a file', () => {
    const encrypted = read(
      'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
      '',
      '--b',
      'Content-Type: application/pgp-encrypted',
      '',
      'Version: 1',
      '--b',
      'Content-Type: application/octet-stream; name=encrypted.asc',
      '',
      '-----BEGIN PGP MESSAGE-----',
      '--b--',
    )
    const text = 'This email is encrypted. Its content is in the attached file.'
    expect(encrypted).toMatchObject({ text, whole: text, files: [{ name: 'encrypted.asc' }] })
    const smime = read(
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      BASE64,
      '',
      'AAAA',
    )
    expect(smime).toMatchObject({ text, files: [{ name: 'smime.p7m' }] })
    expect(read('', '-----BEGIN PGP MESSAGE-----', 'hQEM').text).toContain('This email is encrypted.')
  })

  test('a read receipt is of a machine, also where it does not say so in its head', () => {
    const receipt = mixed(
      ['', 'Read.'],
      ['Content-Type: message/disposition-notification', '', 'Disposition: manual-action; displayed'],
    )
    expect(receipt).toMatchObject({ kind: 'automatic', text: 'Read.' })
  })

  test('a bounce brings back the mail as a file, and what machines say to each other as none', () => {
    const { kind, files } = readIncoming(Buffer.from(mails.microsoftNdr), new Date())
    expect([kind, files.map(({ type }) => type)]).toEqual(['bounce', ['message/rfc822']])
  })
})

describe('a fingerprint', () => {
  const lines = ['From: Ada <ada@x.example>', 'Date: Mon, 2 Mar 2026 10:00:00 +0000', 'Subject: Hi', '']
  const print = (...given: string[]) => read(...given).fingerprint

  test('is the same in another mailbox, which the mail came to on another way', () => {
    const there = [
      'Received: from a.example by b.example',
      'Delivered-To: bob@x.example',
      'DKIM-Signature: x',
    ]
    expect(print(...there, 'Message-ID: <other@x>', ...lines, 'Hello', '')).toBe(print(...lines, 'Hello'))
    expect(print('Subject:  Hi', ...lines.slice(0, 2), '', 'Hello  ')).toBe(print(...lines, 'Hello'))
  })

  test.for<[string, string[]]>([
    ['sender', ['From: bob@x.example', ...lines.slice(1), 'Hello']],
    ['date', [lines[0]!, 'Date: Mon, 2 Mar 2026 10:00:01 +0000', ...lines.slice(2), 'Hello']],
    ['subject', [...lines.slice(0, 2), 'Subject: Hello', '', 'Hello']],
    ['text', [...lines, 'Hello you']],
  ])('is another with another %s', ([, changed]) => {
    expect(print(...changed)).not.toBe(print(...lines, 'Hello'))
  })

  test('is another with a file of another name or size', () => {
    const withFile = (name: string, content: string) =>
      mixed(['', 'Hello'], [`Content-Disposition: attachment; filename=${name}`, '', content]).fingerprint
    const prints = [
      withFile('a', 'x'),
      withFile('b', 'x'),
      withFile('a', 'xy'),
      mixed(['', 'Hello']).fingerprint,
    ]
    expect(new Set(prints).size).toBe(4)
  })
})
