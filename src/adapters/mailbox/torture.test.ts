import { describe, expect, test } from 'vitest'
import { readIncoming } from './incoming.ts'
import { reading } from './torture.harness.ts'

const { read, mixed, file } = reading

describe('the head of a mail', () => {
  test('without a Message-ID is that of a mail', () => {
    expect(read('From: a@x.example', '', 'Hello')).toMatchObject({ message_id: null, text: 'Hello' })
  })

  test.for<[string, string[]]>([
    ['References: <1@x>\r\n <2@x>\r\n\t<3@x>', ['<3@x>', '<2@x>', '<1@x>']],
    ['References: <1@x><2@x>,<3@x>', ['<3@x>', '<2@x>', '<1@x>']],
    ['References: <1@\r\n x.example>', ['<1@x.example>']],
    ['References: 1@x 2@x', ['<2@x>', '<1@x>']],
    ['In-Reply-To: Your message of "Mon, 2 Mar 2026" <1@x>\r\nReferences: (old) <1@x>', ['<1@x>']],
    ['In-Reply-To: Your message of Monday to a@x.example', []],
    ['REFERENCES : <1@x>', ['<1@x>']],
    ['References:\r\n <1@x>', ['<1@x>']],
    ['References: <no-at-sign> <>', []],
  ])('with %j answers %j', ([header, answers]) => {
    expect(read('From: a@x.example', header, '', 'Hello').answers).toEqual(answers)
  })

  test.for<[string, string | null, string | null]>([
    ['From: Ada (on the road) <ada@x.example>', 'ada@x.example', 'Ada'],
    ['From: "Lovelace, Ada" <ada@x.example>', 'ada@x.example', 'Lovelace, Ada'],
    ['From: ada@x.example (Ada Lovelace)', 'ada@x.example', 'Ada Lovelace'],
    ['From: <@relay.example,@b.example:ada@x.example>', 'ada@x.example', null],
    ['From: Team: ada@x.example, bob@x.example;', 'ada@x.example', null],
    ['From: ada@x.example, bob@x.example\r\nSender: eve@x.example', 'ada@x.example', null],
    ['Sender: Eve <eve@x.example>', 'eve@x.example', 'Eve'],
    ['From: undisclosed:;\r\nSender: eve@x.example', 'eve@x.example', null],
    ['From: =?utf-8?Q?J=C3=BCrgen_Gro=C3=9F?= <j@x.example>', 'j@x.example', 'Jürgen Groß'],
    ['From: "=?utf-8?B?0JDQtNCw?=" <ada@x.example>', 'ada@x.example', 'Ада'],
    ['Subject: nobody wrote this', null, null],
    ['From:', null, null],
    ['From: Ada\u202E evil <ada@x.example>', 'ada@x.example', 'Ada evil'],
  ])('with %j is from %s, %s', ([header, from, from_name]) => {
    expect(read(header, 'Subject: x', '', 'Hello')).toMatchObject({ from, from_name, text: 'Hello' })
  })

  test('names everybody it went to, in groups and twice', () => {
    const { to, cc } = read(
      'To: Team: Ada <ada@x.example>, bob@x.example;, "C, D" <cd@x.example>',
      'To: eve@x.example',
      'Cc: undisclosed-recipients:;',
      'Cc: =?iso-8859-1?Q?Ren=E9?= <rene@x.example>',
      '',
      'Hello',
    )
    expect(to.map(({ address, name }) => [address, name])).toEqual([
      ['ada@x.example', 'Ada'],
      ['bob@x.example', null],
      ['cd@x.example', 'C, D'],
      ['eve@x.example', null],
    ])
    expect(cc).toEqual([{ address: 'rene@x.example', name: 'René' }])
  })

  test('with 10,000 recipients is read, and names the first 1,000', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `"Name ${at}" <n${at}@x.example>`).join(',\r\n ')
    const { to, text } = read('From: a@x.example', `To: ${many}`, '', 'Hello')
    expect(text).toBe('Hello')
    expect(to).toHaveLength(1_000)
    expect(to[999]).toEqual({ address: 'n999@x.example', name: 'Name 999' })
  })

  test('of 1 MB is read past', () => {
    const long = `X-Long: ${'a'.repeat(1_000_000)}`
    expect(read('From: a@x.example', long, 'Subject: Hi', '', 'Hello')).toMatchObject({
      subject: 'Hi',
      text: 'Hello',
    })
  })

  test.for<[string, string]>([
    ['Subject: =?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['Subject: =?utf-8?B?R3LD?=\r\n =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    ['Subject: =?UTF-8?q?a?= b =?utf-8*en?q?c?=', 'a b c'],
    ['Subject: =?unknown-8bit?q?caf=E9?=', 'café'],
    ['Subject: =?utf-8?q?without end', '=?utf-8?q?without end'],
    ['Subject: folded\r\n\ttwice\r\n  over', 'folded twice over'],
    ['Subject: nul\0byte', 'nul byte'],
    ['subject:no space', 'no space'],
    ['Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=', '日本'],
  ])('with %j is about %j', ([header, subject]) => {
    expect(read('From: a@x.example', header, '', 'Hello')).toMatchObject({ subject, text: 'Hello' })
  })

  test.for<[string, string, Buffer]>([
    ['UTF-8', 'Grüße', Buffer.from('Grüße')],
    ['what nobody named', 'Grüße', Buffer.from('Grüße', 'latin1')],
  ])('may have bytes beyond ASCII: %s', ([, subject, bytes]) => {
    const raw = [Buffer.from('From: a@x.example\r\nSubject: '), bytes, Buffer.from('\r\n\r\nHello')]
    expect(readIncoming(Buffer.concat(raw), new Date())).toMatchObject({ subject, text: 'Hello' })
  })

  test('in bytes of the charset that its text is in, is read by that', () => {
    const raw = Buffer.concat([
      Buffer.from('From: a@x.example\r\nContent-Type: text/plain; charset=koi8-r\r\nSubject: '),
      Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]),
      Buffer.from('\r\n\r\n'),
      Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]),
    ])
    expect(readIncoming(raw, new Date())).toMatchObject({ subject: 'Привет', text: 'Привет' })
  })

  test('with lines that are no field keeps the others', () => {
    const lines = [
      'From a@x.example Mon Mar  2 10:00:00 2026',
      'From: a@x.example',
      'rubbish here',
      ' more of it',
    ]
    expect(read(...lines, 'Subject: Hi', '', 'Hello')).toMatchObject({ from: 'a@x.example', subject: 'Hi' })
  })

  test('that is missing leaves the words', () => {
    expect(read('Hello there,', 'all of this is text').text).toBe('Hello there,\nall of this is text')
  })
})

describe('a mail', () => {
  test.for<[string, string[], string]>([
    ['is empty', ['From: a@x.example', '', ''], ''],
    ['has no body', ['From: a@x.example'], ''],
    ['has bare line feeds', ['From: a@x.example\nX: y\n\nHello\nthere'], 'Hello\nthere'],
    ['has \\0 in its words', ['From: a@x.example', '', 'He\0llo'], 'Hello'],
    ['has half of a pair', ['Content-Type: text/plain; charset=utf-7', '', 'x+2D0-y'], 'x\uFFFDy'],
    ['has no type that is one', ['Content-Type: whatever', '', 'Hello'], 'Hello'],
    ['is of an unknown text type', ['Content-Type: text/x-new', '', 'Hello'], 'Hello'],
    ['is only a page', ['Content-Type: text/html', '', '<p>Hello</p><p>you</p>'], 'Hello\n\nyou'],
  ])('that %s is kept and shown', ([, lines, text]) => {
    expect(read(...lines)).toMatchObject({ text, whole: text, files: [] })
  })

  test('with a line of 1 MB is shown as far as texts go', () => {
    const { text, whole } = read('From: a@x.example', '', 'a'.repeat(1_000_000))
    expect([text.length, whole.length]).toEqual([100_000, 200_000])
  })

  test('as a page is kept as its sender wrote it, with what it quotes', () => {
    const page = '<div>Yes.</div><blockquote>Tuesday?</blockquote><script>x</script>'
    expect(read('Content-Type: text/html; charset=utf-8', '', `${page}\0`)).toMatchObject({
      html: page,
      text: 'Yes.',
      whole: 'Yes.\n\n> Tuesday?',
    })
  })

  test('with a page at the limit keeps it, and a longer one is only text', () => {
    const page = (length: number) =>
      read('Content-Type: text/html', '', `<p>Hello</p>${' '.repeat(length - 13)}x`).html?.length ?? null
    expect([page(500_000), page(500_001)]).toEqual([500_000, null])
  })

  test('with a text and two pages between files is one page', () => {
    const { html, text, files } = mixed(
      ['Content-Type: text/html', '', '<b>One</b>'],
      file('a.pdf', 'x'),
      ['Content-Type: text/html', '', '<b>Two</b>'],
      ['', 'a < b'],
    )
    expect(html).toMatch(/<b>One<\/b>\n<b>Two<\/b>\n<div[^>]*>a &lt; b<\/div>/)
    expect(text).toBe('One\nTwo\na < b')
    expect(files).toHaveLength(1)
  })
})

describe('parts', () => {
  test('within parts are found', () => {
    const inner = [
      '--i',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--i',
      'Content-Type: text/html',
      '',
      '<i>Hello</i>',
      '--i--',
    ]
    const mail = mixed(
      [
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        'Content-Type: multipart/alternative; boundary=i',
        '',
        ...inner,
        '--r',
        'Content-Type: image/png',
        'Content-ID: <logo@x>',
        '',
        'PNG',
        '--r--',
      ],
      file('a.pdf', 'content'),
    )
    expect(mail).toMatchObject({ text: 'Hello', html: '<i>Hello</i>' })
    expect(mail.files).toEqual([
      {
        name: 'file.png',
        type: 'image/png',
        content_id: 'logo@x',
        bytes: new Uint8Array(Buffer.from('PNG')),
      },
      {
        name: 'a.pdf',
        type: 'application/octet-stream',
        content_id: null,
        bytes: new Uint8Array(Buffer.from('content')),
      },
    ])
  })

  test.for<[string, string[]]>([
    [
      'no end',
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        'Hello',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
      ],
    ],
    [
      'no boundary in the head',
      [
        'Content-Type: multipart/mixed',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b--',
      ],
    ],
    [
      'another boundary in the head',
      [
        'Content-Type: multipart/mixed; boundary=other',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b--',
      ],
    ],
    [
      'a boundary of one part missing',
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: multipart/alternative; boundary=i',
        '',
        '--i',
        '',
        'Hello',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b--',
      ],
    ],
    [
      'words before and after',
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        'This is MIME.',
        '--b',
        '',
        'Hello',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b--',
        'The end',
      ],
    ],
    [
      'spaces after the boundary',
      [
        'Content-Type: multipart/mixed; boundary="b"; boundary=c',
        '',
        '--b  ',
        '',
        'Hello',
        '--b\t',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b-- ',
      ],
    ],
    [
      'comments in the type',
      [
        'Content-Type: multipart/mixed (of (all) kinds); boundary=b (this one)',
        '',
        '--b',
        '',
        'Hello',
        '--b',
        'Content-Disposition: (here) attachment; filename=a.txt',
        '',
        'file',
        '--b--',
      ],
    ],
    [
      'one boundary that begins like another',
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: multipart/mixed; boundary=bb',
        '',
        '--bb',
        '',
        'Hello',
        '--bb--',
        '--b',
        'Content-Disposition: attachment; filename=a.txt',
        '',
        'file',
        '--b--',
      ],
    ],
  ])('with %s are told apart', ([, lines]) => {
    const { text, files } = read(...lines)
    expect([text, files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])]).toEqual([
      'Hello',
      [['a.txt', 'file']],
    ])
  })

  test('that cannot be told apart are text', () => {
    expect(read('Content-Type: multipart/mixed; boundary=b', '', 'Hello')).toMatchObject({ text: 'Hello' })
  })

  test('that never end, one in the other, are text', () => {
    const deep = Array.from(
      { length: 200 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    expect(read(deep.join(''), '', 'Hello').text).toContain('Hello')
  })

  test('of which there are 1,000 are read, with the first 50 files', () => {
    const parts = Array.from({ length: 999 }, (_, at) => file(`${at}.txt`, String(at)))
    const { text, whole, files } = mixed(['', 'Hello'], ...parts)
    expect(text).toBe(
      'Hello\n\nOnly the first 50 files of this email are shown. The others are in the mailbox.',
    )
    expect(whole).toBe(text)
    expect(files.map(({ name }) => name)).toEqual(parts.slice(0, 50).map((_, at) => `${at}.txt`))
    expect(mixed(['', 'Hello'], ...parts.slice(0, 50)).text).toBe('Hello')
  })

  test('of which there are more than anybody sends are read until then', () => {
    const { files } = mixed(['', 'Hello'], ...Array.from({ length: 20_000 }, () => file('a.txt', 'a')))
    expect(files).toHaveLength(50)
  })
})
