import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, hostileTexts } from '#test/hostile.ts'
import { workOf } from '#test/work.ts'
import { compileText, mergeText, parseTemplate, placeholderFaults, PLACEHOLDERS_MAX } from './merge.ts'

const merged = (text: string, values: Record<string, string>, custom: string[] = []) =>
  mergeText(compileText(text, custom), values)

describe('a placeholder', () => {
  test.for([
    ['Hi {{firstName}}!', 'Hi Ada!'],
    ['Hi {{ firstName }}!', 'Hi Ada!'],
    ['{{firstName}}{{lastName | default: "?"}}', 'Ada?'],
    ['{{lastName|default:"you"}}', 'you'],
    [`{{ lastName | default: 'a "b"' }}`, 'a "b"'],
    ['{{ lastName | default: "a \\"b\\" }}" }}', 'a "b" }}'],
    ['{{ lastName | default: “friend” }}', 'friend'],
    ['{{ lastName | default: &quot;friend&quot; }}', 'friend'],
    ['{{lastName | default: ""}}.', '.'],
    ['{ {firstName} } }}', '{ {firstName} } }}'],
    ['{{{firstName}}}', '{Ada}'],
  ])('%s becomes %s', ([text, expected]) => {
    expect(merged(text!, { firstName: ' Ada ', lastName: ' ' }).text).toBe(expected)
  })

  test('without a value and a default leaves nothing, and is told as missing once', () => {
    expect(
      merged('{{firstName}} {{company}} {{company}} {{title | default: "x"}}', { firstName: 'Ada' }),
    ).toEqual({
      text: 'Ada   x',
      missing: ['company'],
    })
  })

  test('is a custom field by its key, and by its short name where that is nobody else’s', () => {
    const values = { 'custom.plan_name': 'Pro', 'custom.title': 'Dr', title: 'CEO', 'custom.a_b': '1' }
    const custom = ['plan_name', 'title', 'a_b', 'a__b']
    expect(merged('{{custom.plan_name}} {{planName}} {{custom.title}} {{title}}', values, custom).text).toBe(
      'Pro Pro Dr CEO',
    )
    expect(placeholderFaults('{{aB}}', custom)).toHaveLength(1)
    expect(placeholderFaults('{{custom.a_b}} {{custom.a__b}}', custom)).toEqual([])
  })

  test('of a field that the team has no more is missing', () => {
    expect(merged('{{custom.gone}}{{custom.gone2 | default: "x"}}', { 'custom.gone': 'y' })).toEqual({
      text: 'x',
      missing: ['custom.gone'],
    })
  })

  test.for([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'custom.constructor',
    'custom.__proto__',
    'valueOf',
  ])('{{%s}} is unknown, whatever every object has', name => {
    expect(placeholderFaults(`{{${name}}}`, [])).toEqual([
      expect.stringMatching(/is not a (known )?placeholder/),
    ])
    expect(merged(`{{${name}}}`, {}).text).toBe('{{__proto__}}' === `{{${name}}}` ? '{{__proto__}}' : '')
  })
})

describe('faults', () => {
  test.for([
    ['Hi {{firstNam}}', 'character 4: {{firstNam}} is not a known placeholder. Did you mean {{firstName}}?'],
    [
      'Hi\n\n  {{first_name}}',
      'line 3, character 3: {{first_name}} is not a known placeholder. Did you mean {{firstName}}?',
    ],
    ['{{somethingElse}}', 'character 1: {{somethingElse}} is not a known placeholder.'],
    [
      'a {{first name}} b',
      'character 3: {{first name… is not a placeholder: write {{firstName}} or {{firstName | default: "there"}}.',
    ],
    [
      '{{firstName',
      'character 1: {{firstName… is not a placeholder: write {{firstName}} or {{firstName | default: "there"}}.',
    ],
    [
      '{{firstName | upper}}',
      'character 1: {{firstName | upper… is not a placeholder: write {{firstName}} or {{firstName | default: "there"}}.',
    ],
    [
      '{{7*7}}',
      'character 1: {{7*7… is not a placeholder: write {{firstName}} or {{firstName | default: "there"}}.',
    ],
  ])('%j', ([text, message]) => {
    expect(placeholderFaults(text!, [])).toEqual([message])
  })

  test(`are more than ${PLACEHOLDERS_MAX} placeholders`, () => {
    const many = (count: number) => placeholderFaults('{{firstName}}'.repeat(count), [])
    expect(many(PLACEHOLDERS_MAX)).toEqual([])
    expect(many(PLACEHOLDERS_MAX + 1)).toEqual([`There are more than ${PLACEHOLDERS_MAX} placeholders.`])
  })

  test('are found in no time among many long names', () => {
    const keys = Array.from({ length: 50 }, (_, at) => `${'a'.repeat(38)}${at}`)
    const text = Array.from({ length: 100 }, (_, at) => `{{custom.${'b'.repeat(38)}${at}}}`).join('')
    expect(workOf(() => Array.from({ length: 10 }, () => placeholderFaults(text, keys)))).toBeLessThan(1_000)
  })

  test('are all told, in their order', () => {
    const faults = placeholderFaults('{{a}} {{ {{firstName}} {{b c}}', [])
    expect(faults.map(fault => fault.split(':')[0])).toEqual(['character 1', 'character 7', 'character 24'])
  })
})

describe('whatever comes', () => {
  test('pieces are the text again, and a value never becomes more than text', () => {
    const word = fc.constantFrom(
      '{{',
      '}}',
      'firstName',
      ' ',
      '|',
      'default',
      ':',
      '"',
      "'",
      '\\',
      'x',
      '\n',
      '{',
      '}',
    )
    const texts = fc.oneof(
      fc.array(word, { maxLength: 40 }).map(words => words.join('')),
      anyText(),
      fc.constantFrom(...hostileTexts),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom(...hostileTexts), (text, value) => {
        const { pieces } = parseTemplate(text)
        let at = 0
        for (const piece of pieces) {
          const start = typeof piece === 'string' ? text.indexOf(piece, at) : piece.at
          expect(start).toBe(at)
          at = typeof piece === 'string' ? at + piece.length : text.indexOf('}}', at) + 2
          // A default may hold braces of its own: go on where the next piece is.
          const next = pieces[pieces.indexOf(piece) + 1]
          if (typeof piece !== 'string')
            at = next === undefined ? at : typeof next === 'string' ? text.indexOf(next, at) : next.at
        }
        expect(
          mergeText(compileText(text, []), { firstName: value }).text.isWellFormed() || !text.isWellFormed(),
        ).toBe(true)
      }),
    )
  })

  test('a value loses control characters and what turns text around, and keeps its lines', () => {
    const { text } = merged('{{firstName}}', { firstName: 'a\r\nb\tc\0\u001b[31m\u202ed\ud800' })
    expect(text).toBe('a\nb c[31md')
  })

  test('a long text of nothing but beginnings is read in no time', () => {
    for (const part of ['{{', '{{a|default:"', '{{a | default: “', '{{ ', "{{a|default:'\\"]) {
      const text = part.repeat(Math.floor(100_000 / part.length))
      expect(workOf(() => void parseTemplate(text))).toBeLessThan(2_000)
    }
  })
})
