import { compile as compileReader, type Node } from 'html-to-text'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, hostileTexts } from '#test/hostile.ts'
import { full } from '#test/tier.ts'
import { workOf } from '#test/work.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { leadValues } from './placeholders.ts'
import { compile, footOf, missingIn, render, renderBody, SPACES_MAX, type Source } from './render.ts'
import { BODY_LENGTH_MAX, SUBJECT_LENGTH_MAX } from './values.ts'

const mail = (body: string, format: Source['format'] = 'markdown', subject = ''): Source => ({
  subject,
  body,
  format,
})

function bodyOf(template: Source, values: Record<string, string> = {}) {
  return renderBody(compile(template, []), values)
}

type Element = { name: string; attribs: Record<string, string> }

/** The elements that a parser of its own finds, with what they carry. */
function elementsIn(html: string): Element[] {
  const found: Element[] = []
  const note = ({ name, attribs = {}, children = [] }: Node) => {
    if (name) found.push({ name, attribs })
    children.forEach(note)
  }
  compileReader({
    wordwrap: false,
    formatters: { note: ({ children = [] }) => children.forEach(note) },
    selectors: [{ selector: 'body', format: 'note' }],
  })(`<body>${html}</body>`)
  return found
}

const lead = (fields: Partial<Lead>): Lead => ({
  id: '0'.repeat(24),
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  title: null,
  website: null,
  timezone: null,
  owner_id: null,
  account_id: null,
  status: 'NEW',
  call_status: 'NONE',
  pipeline_stage: 'New',
  source: null,
  utm: {},
  custom: {},
  last_activity_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
  ...fields,
})

describe('a mail', () => {
  test('is a whole page and a text, with the values of its lead, the signature and the foot', () => {
    const source = mail(
      'Hi {{firstName}},\n\n**{{company}}** needs [a talk]({{meetingLink}}).\n\n- {{planName}}\n- {{custom.seats}}\n\nBest,\n{{senderName}}',
      'markdown',
      'For {{fullName}} at {{company}}',
    )
    const values = leadValues(
      lead({
        first_name: 'Ada',
        last_name: 'Lovelace',
        company: 'Eng & Ines',
        custom: { plan_name: 'Pro', seats: 5 },
      }),
      { senderName: 'Charles', meetingLink: 'https://meet.example/c?a=1&b=2' },
    )
    const signature = renderBody(compile(mail('*Charles*, [site](https://c.example)'), []), values)
    const foot = footOf({ postalAddress: '1 Street\nLondon', unsubscribeLink: 'https://x.example/u/1' })
    const { subject, html, text, missing } = render(compile(source, ['plan_name', 'seats']), values, {
      signature,
      foot,
    })
    expect(subject).toBe('For Ada Lovelace at Eng & Ines')
    expect(missing).toEqual([])
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).toContain('<title>For Ada Lovelace at Eng &amp; Ines</title>')
    expect(html).toContain('<p>Hi Ada,</p>')
    expect(html).toContain(
      '<strong>Eng &amp; Ines</strong> needs <a href="https://meet.example/c?a=1&amp;b=2">a talk</a>.',
    )
    expect(html).toContain('<p>Best,<br>Charles</p>')
    expect(html).toContain('1 Street<br>London<br><a href="https://x.example/u/1"')
    expect(html.trimEnd()).toMatch(/<\/body><\/html>$/)
    expect(text).toBe(
      `Hi Ada,

Eng & Ines needs a talk (https://meet.example/c?a=1&b=2).

 - Pro
 - 5

Best,
Charles

-- 
Charles, site (https://c.example)

1 Street
London
Unsubscribe: https://x.example/u/1`,
    )
  })

  test('tells what is missing, and leaves no hole where it would have been', () => {
    const compiled = compile(
      mail('Hi {{firstName | default: "there"}},\n\n{{icebreaker}}\n\nBye', 'markdown', '{{company}}'),
      [],
    )
    const { html, text, missing } = render(compiled, leadValues(lead({ email: 'a@example.test' })))
    expect(missing).toEqual(['company', 'icebreaker'])
    expect(missingIn(compiled, { company: 'x', icebreaker: 'y' })).toEqual([])
    expect(html).not.toContain('<p></p>')
    expect(text).toBe('Hi there,\n\nBye')
    expect([...compiled.names]).toEqual(['firstName', 'icebreaker', 'company'])
  })

  test('has a subject of one line and 300 characters at most', () => {
    const subject = (value: string) =>
      render(compile(mail('x', 'markdown', 'Re: {{company}}'), []), { company: value }).subject
    expect(subject('a\r\nBcc: victim@example.test')).toBe('Re: a Bcc: victim@example.test')
    expect(subject('x'.repeat(400))).toHaveLength(SUBJECT_LENGTH_MAX)
    expect(subject('👍'.repeat(200)).isWellFormed()).toBe(true)
    for (const text of hostileTexts) expect(subject(text)).toMatch(/^[^\p{Cc}\u2028\u2029]{0,300}$/u)
  })

  test('can be clicked where a link of ours stands bare, and where an address is made of values', () => {
    const values = {
      meetingLink: 'https://m.example/a',
      firstName: 'Ada B',
      email: 'ada@example.test',
      phone: '+49 30',
    }
    expect(bodyOf(mail('Book: {{meetingLink}}'), values)).toEqual({
      html: '<p>Book: <a href="https://m.example/a">https://m.example/a</a></p>',
      text: 'Book: https://m.example/a',
    })
    expect(bodyOf(mail('[{{meetingLink}}]({{meetingLink}})'), values)).toEqual({
      html: '<p><a href="https://m.example/a">https://m.example/a</a></p>',
      text: 'https://m.example/a',
    })
    expect(bodyOf(mail('See https://x.example/?n={{firstName}}&m=1'), values)).toEqual({
      html: '<p>See <a href="https://x.example/?n=Ada%20B&amp;m=1">https://x.example/?n=Ada B&amp;m=1</a></p>',
      text: 'See https://x.example/?n=Ada%20B&m=1',
    })
    expect(
      bodyOf(
        mail('<a href="mailto:{{email}}?subject={{firstName}}">w</a> <a href="tel:{{phone}}">c</a>', 'html'),
        values,
      ).html,
    ).toBe('<a href="mailto:ada@example.test?subject=Ada%20B">w</a> <a href="tel:+49%2030">c</a>')
    expect(bodyOf(mail('a@example.test, [b](mailto:b@example.test), <https://c.example>')).text).toBe(
      'a@example.test, b (mailto:b@example.test), https://c.example',
    )
  })
})

describe('an address', () => {
  test.for([
    ['{{website}}', 'https://w.example/x', ' href="https://w.example/x"'],
    ['{{website}}/jobs', 'https://w.example', ' href="https://w.example/jobs"'],
    ['{{website}}', 'javascript:alert(1)', ''],
    ['{{website}}', ' JavaScript:alert(1)', ''],
    ['{{website}}', 'java\nscript:alert(1)', ''],
    ['{{website}}', 'data:text/html,x', ''],
    ['{{website}}', '//evil.example', ''],
    ['{{website}}', '', ''],
    [
      '{{website}}',
      'https://a.example/" onclick="alert(1)',
      ' href="https://a.example/%22%20onclick=%22alert(1)"',
    ],
    ['java{{website}}', 'script:alert(1)', ''],
    ['https://good.example{{website}}', '.evil.example', ' href="https://good.exampleevilexample"'],
    ['https://good.example{{website}}', '@evil.example/', ' href="https://good.exampleevilexample"'],
    ['https://{{website}}/x', 'w.example', ' href="https://w.example/x"'],
    ['https://good.example/{{website}}', '../?a=b#c', ' href="https://good.example/..%2F%3Fa%3Db%23c"'],
    [
      'mailto:{{website}}',
      'a@example.test?bcc=b@example.test',
      ' href="mailto:a@example.test%3Fbcc%3Db@example.test"',
    ],
    ['javascript:alert({{website}})', '1', ''],
  ])('%s with %j', ([href, website, expected]) => {
    const { html } = bodyOf(mail(`<a href="${href}">x</a>`, 'html'), { website: website! })
    expect(html).toBe(`<a${expected}>x</a>`)
  })

  test.for([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java&#115;cript:alert(1)',
    'javascript&colon;alert(1)',
    'java&Tab;script:alert(1)',
    ' &#1;javascript:alert(1)',
    'data:text/html;base64,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/leads',
    '#top',
    'https://',
    'http:evil',
  ])('%s is none that a template may have', href => {
    expect(bodyOf(mail(`<a href="${href}">x</a>`, 'html')).html).toBe('<a>x</a>')
    expect(
      elementsIn(bodyOf(mail(`[x](<${href}>)`)).html).filter(({ attribs }) => 'href' in attribs),
    ).toEqual([])
  })
})

describe('HTML of a template', () => {
  test.for([
    ['<script>alert(1)</script>x', 'x'],
    ['<SCRIPT src=//evil.example></SCRIPT >x', 'x'],
    ['<scr<script>ipt>alert(1)</script>x', 'ipt&gt;alert(1)x'],
    ['<img src=x onerror=alert(1)>', ''],
    [
      '<img src="https://a.example/l.png" onerror="alert(1)" alt="Lo&quot;go" width=20>',
      '<img src="https://a.example/l.png" alt="Lo&quot;go" width="20">',
    ],
    ['<svg onload=alert(1)><a href="https://x">y</a></svg>z', 'z'],
    ['<iframe src="https://e.example"></iframe>', ''],
    ['<form action="https://e.example"><input name=a><button>Go</button></form>', 'Go'],
    [
      '<style>@import "//e.example"</style><p style="color:red;background:url(//e.example);POSITION:fixed">x</p>',
      '<p style="color:red">x</p>',
    ],
    [
      '<p style="background:u\\72l(//e.example);font:16px/1.5 Arial">x</p>',
      '<p style="font:16px/1.5 Arial">x</p>',
    ],
    ['<p style="color:red&quot; onclick=&quot;x">x</p>', '<p>x</p>'],
    ['<p onclick="a()" title="t&lt;" class="c" id="i">x</p>', '<p title="t&lt;">x</p>'],
    ['<!-- <b>x</b> --><!doctype html><?php x ?>y', 'y'],
    ['<meta http-equiv=refresh content="0;url=//e"><base href="//e"><link rel=stylesheet href="//e">x', 'x'],
    ['a < b && c > d &amp; &copy; &nope', 'a &lt; b &amp;&amp; c &gt; d &amp; &copy; &amp;nope'],
    ['<b><i>x</b>y', '<b><i>x</i></b>y'],
    ['</div>x<div>', 'x<div></div>'],
    [
      '<table width="100%"><tr><td bgcolor="#fff" colspan=2>x</table>',
      '<table width="100%"><tr><td bgcolor="#fff" colspan="2">x</td></tr></table>',
    ],
    [
      '<a href="https://a.example" href="javascript:x" target=_blank>x</a>',
      '<a href="https://a.example">x</a>',
    ],
    ['<p title="unclosed>x</p><b>y', '<p title="">x</p><b>y</b>'],
  ])('%s', ([source, expected]) => {
    expect(bodyOf(mail(source!, 'html')).html).toBe(expected)
  })

  test('in Markdown is no better than elsewhere', () => {
    const { html } = bodyOf(
      mail('Hi <b onclick="x">you</b> <script>alert(1)</script>\n\n<iframe src="//e"></iframe>'),
    )
    expect(elementsIn(html).map(({ name, attribs }) => [name, attribs])).toEqual([
      ['p', {}],
      ['b', {}],
    ])
  })

  test('of a picture comes from where its author says; its name may be of the lead', () => {
    const src = (text: string) =>
      bodyOf(mail(`<img src="${text}" alt="for {{firstName}}">`, 'html'), { firstName: 'A "B' }).html
    expect(src('https://p.example/{{firstName}}.png')).toBe(
      '<img src="https://p.example/A%20%22B.png" alt="for A &quot;B">',
    )
    expect(src('{{firstName}}')).toBe('for A &quot;B')
    expect(src('https://p.example{{firstName}}')).toBe('for A &quot;B')
  })

  test('is bounded in depth, and nothing nested makes it slow', () => {
    const deep = bodyOf(mail('<div>'.repeat(5_000) + 'x', 'html'))
    expect(elementsIn(deep.html)).toHaveLength(100)
    expect(deep.text).toBe('x')
    const sources = [
      '> '.repeat(20_000),
      '['.repeat(20_000),
      '*a '.repeat(10_000),
      '- '.repeat(10_000),
      '<a '.repeat(30_000),
      '<!--'.repeat(20_000),
      '`'.repeat(20_001),
      '<p title="'.repeat(8_000),
    ]
    for (const source of sources) {
      const ms = workOf(() => {
        try {
          bodyOf(mail(source))
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid', code: 'nested_too_deep' })
        }
      })
      expect(ms, source.slice(0, 10)).toBeLessThan(5_000)
    }
  })
})

describe('whatever a stranger is called', () => {
  const source = [
    '# {{firstName}}',
    '',
    'Hi **{{firstName}}**, *x{{firstName}}y* `{{firstName}}` [{{firstName}}](https://x.example/{{firstName}}) {{firstName}}',
    '',
    '{{firstName}} alone',
    '',
    '- {{firstName}}',
    '',
    '> {{firstName}} said',
    '',
    '| {{firstName}} | b |',
    '|---|---|',
    '| {{firstName}} | {{meetingLink}} |',
    '',
    '<b title="{{firstName}}">{{firstName}}</b> <a href="{{website}}">w</a>',
    '![{{firstName}}](https://x.example/{{firstName}}.png)',
  ].join('\n')
  const values = (firstName: string) => ({ firstName, website: firstName, meetingLink: 'https://m.example' })
  const compiled = compile(mail(source, 'markdown', '{{firstName}}'), [])
  const shape = (html: string) =>
    elementsIn(html).map(({ name, attribs }) => [name, ...Object.keys(attribs).filter(key => key !== 'href')])
  const expected = shape(render(compiled, values('Ada')).html)

  function check(value: string): void {
    const { html, subject } = render(compiled, values(value))
    expect(shape(html)).toEqual(expected)
    for (const { attribs } of elementsIn(html))
      if (attribs.href !== undefined) expect(attribs.href).toMatch(/^(?:https?:\/\/|mailto:|tel:)/i)
    expect(html).not.toMatch(/[\0\u202e]/)
    expect(html.isWellFormed()).toBe(true)
    expect(subject.length).toBeLessThanOrEqual(SUBJECT_LENGTH_MAX)
  }

  test('no element and no attribute comes of it', () => {
    expect(expected.length).toBeGreaterThan(20)
    for (const text of hostileTexts) check(text)
    const markdown = [
      '**b**',
      '# h',
      '- l',
      '[x](javascript:x)',
      '![x](//e)',
      '<b>',
      '`c`',
      '\n\n# h',
      '---',
      '| a |',
      '&lt;',
      '{{lastName}}',
    ]
    for (const text of markdown) check(text)
    fc.assert(fc.property(anyText(), check), { numRuns: full ? 300 : 60 })
  })

  test('what it says is read exactly as it was typed', () => {
    const { html, text } = bodyOf(mail('x{{firstName}}y'), { firstName: '**b** <i> & "q" [l](u)' })
    expect(html).toBe('<p>x**b** &lt;i&gt; &amp; &quot;q&quot; [l](u)y</p>')
    expect(text).toBe('x**b** <i> & "q" [l](u)y')
  })
})

test('a thousand mails are written in a moment, and a text is prepared once', () => {
  const source = mail(
    `Hi {{firstName | default: "there"}},\n\n${'A sentence about {{company}}. '.repeat(20)}\n\n[x]({{meetingLink}})`,
    'markdown',
    'Hi {{firstName}}',
  )
  expect(compile(source, ['a'])).toBe(compile({ ...source }, ['a']))
  const ms = workOf(() => {
    for (let number = 0; number < 1_000; number++)
      render(
        compile(source, []),
        leadValues(lead({ first_name: `Ada ${number}`, company: 'Eng & Ines' }), {
          meetingLink: 'https://m.example',
        }),
      )
  })
  expect(ms).toBeLessThan(2_000)
})

test('spaces in a row are kept up to 200 of them, and a text of nothing else is read in a moment', () => {
  const codeOf = (count: number) =>
    renderBody(compile(mail(`a\n\n    b${' '.repeat(count)}c`), []), {}).html.match(/b( +)c/)![1]!.length
  expect([SPACES_MAX - 1, SPACES_MAX, SPACES_MAX + 1, 5_000].map(codeOf)).toEqual([199, 200, 200, 200])
  const line = `a${' '.repeat(BODY_LENGTH_MAX - 2)}b`
  expect(workOf(() => expect(renderBody(compile(mail(line), []), {}).text).toBe('a b'))).toBeLessThan(200)
})

test('a mail full of spaces is written in a moment', () => {
  const template = compile(mail(`<pre>a${' '.repeat(30_000)}b</pre>`, 'html'), [])
  expect(workOf(() => renderBody(template, {}))).toBeLessThan(200)
})
