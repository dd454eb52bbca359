import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, hostileTexts } from '#test/hostile.ts'
import {
  askedFields,
  CONDITION_DEPTH_MAX,
  ConditionFault,
  conditionText,
  holds,
  inWords,
  outcomes,
  parseCondition,
  type Condition,
  type Facts,
} from './condition.ts'
import { CONDITION_LENGTH_MAX } from './values.ts'

const facts = (previous: Facts['previous'], lead: Record<string, unknown> = {}): Facts => ({
  previous,
  lead: { custom: {}, ...lead },
})

function judged(text: string, given: Facts) {
  return holds(parseCondition(text), given)
}

function faultIn(text: string): ConditionFault {
  try {
    parseCondition(text)
  } catch (error) {
    if (error instanceof ConditionFault) return error
    throw error
  }
  throw new Error(`${text} parses`)
}

describe('a condition', () => {
  test.for([
    ['previous.opened', 'previous.opened'],
    ['opened', 'previous.opened'],
    ['!opened', 'not previous.opened'],
    ['not_opened', 'not previous.opened'],
    ['NOT Clicked', 'not previous.clicked'],
    ['not_replied and !bounced', 'not previous.replied and not previous.bounced'],
    ['sent or opened and clicked', 'previous.sent or (previous.opened and previous.clicked)'],
    ['(sent or opened) and clicked', '(previous.sent or previous.opened) and previous.clicked'],
    ['!(sent)', 'not previous.sent'],
    ['not not sent', 'not not previous.sent'],
    ['lead.title == "CEO"', 'lead.title == "CEO"'],
    ["lead.firstName!='Ada'", 'lead.first_name != "Ada"'],
    ['lead.custom.plan == "a \\"b\\" \\\\ c"', 'lead.custom.plan == "a \\"b\\" \\\\ c"'],
  ])('%s is read as %s', ([text, canonical]) => {
    expect(conditionText(parseCondition(text!))).toBe(canonical)
  })

  test.for([
    ['', 1, 'a name like previous.opened or lead.title', 'the end'],
    ['opened and', 11, 'a name like previous.opened or lead.title', 'the end'],
    ['opened clicked', 8, 'and, or, or the end', '“clicked”'],
    ['(opened', 8, 'and, or, or a closing bracket', 'the end'],
    ['opened)', 7, 'and, or, or the end', '“)”'],
    ['opend', 1, 'a name like previous.opened or lead.title', '“opend”'],
    ['previous.constructor', 1, 'a name like previous.opened or lead.title', '“previous.constructor”'],
    ['lead.title', 11, '== or !=', 'the end'],
    ['lead.title == CEO', 15, 'a text in quotes', '“CEO”'],
    ['lead.title = "CEO"', 12, 'a name, a text in quotes, or a bracket', '“=”'],
    ['lead.title == "CEO', 15, 'a closing "', 'the end'],
    ['lead.constructor == "x"', 1, 'a name like previous.opened or lead.title', '“lead.constructor”'],
    [
      'lead.custom.__proto__ == "x"',
      1,
      'a name like previous.opened or lead.title',
      '“lead.custom.__proto__”',
    ],
    ['opened && clicked', 8, 'a name, a text in quotes, or a bracket', '“&”'],
    ['opened; process.exit()', 7, 'a name, a text in quotes, or a bracket', '“;”'],
  ] as [string, number, string, string][])('%j is refused at character %i', ([text, at, expected, found]) => {
    expect(faultIn(text)).toMatchObject({
      at,
      expected,
      message: `At character ${at}: expected ${expected}, found ${found}.`,
    })
  })

  test('is as deep and as long as allowed, and no further', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}sent${')'.repeat(depth)}`
    expect(parseCondition(nested(CONDITION_DEPTH_MAX))).toEqual({ kind: 'previous', outcome: 'sent' })
    expect(faultIn(nested(CONDITION_DEPTH_MAX + 1)).expected).toContain('at most 20')
    expect(faultIn('!'.repeat(400)).expected).toContain('at most 20')
    const longest = `${' '.repeat(CONDITION_LENGTH_MAX - 4)}sent`
    expect(parseCondition(longest)).toEqual({ kind: 'previous', outcome: 'sent' })
    expect(faultIn(` ${longest}`).at).toBe(CONDITION_LENGTH_MAX + 1)
  })

  test('holds or not, and says why', () => {
    const opened = facts({ sent: true, opened: true }, { title: 'ceo ', company: null, custom: { seats: 5 } })
    expect(judged('!opened', opened)).toEqual({ holds: false, because: 'the previous email was opened' })
    expect(judged('opened', opened)).toEqual({ holds: true, because: 'the previous email was opened' })
    expect(judged('clicked or replied', opened)).toEqual({
      holds: false,
      because: 'no link in the previous email was clicked and the previous email was not replied to',
    })
    expect(judged('sent and bounced and clicked', opened)).toEqual({
      holds: false,
      because: 'the previous email did not bounce',
    })
    expect(judged('lead.title == "CEO"', opened)).toEqual({
      holds: true,
      because: 'the lead’s title is “ceo ”',
    })
    expect(judged('lead.title != "CEO"', opened).holds).toBe(false)
    expect(judged('lead.company == "Acme"', opened)).toEqual({
      holds: false,
      because: 'the lead has no company',
    })
    expect(judged('lead.company == ""', opened).holds).toBe(true)
    expect(judged('lead.custom.seats == "5"', opened).holds).toBe(true)
    expect(judged('lead.custom.constructor == "x"', opened)).toEqual({
      holds: false,
      because: 'the lead has no constructor',
    })
  })

  test('about the mail before does not hold where there was none, and its opposite does', () => {
    expect(judged('opened', facts(null))).toEqual({ holds: false, because: 'there was no previous email' })
    expect(judged('!opened', facts(null)).holds).toBe(true)
  })

  test.for([
    ['!opened', 'only if the previous email was not opened'],
    ['clicked', 'only if a link in the previous email was clicked'],
    [
      '!(opened and clicked)',
      'only if the previous email was not opened or no link in the previous email was clicked',
    ],
    [
      'sent and (opened or replied)',
      'only if the previous email was sent and (the previous email was opened or the previous email was replied to)',
    ],
    ['not lead.pipeline_stage == "Won"', 'only if the lead’s pipeline stage is not “Won”'],
    ['lead.phone == ""', 'only if the lead has no phone'],
    ['lead.custom.plan_name != ""', 'only if the lead has a plan name'],
  ])('%s is said in words: %s', ([text, words]) => {
    expect(inWords(parseCondition(text!))).toBe(words)
  })
})

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('previous' as const), outcome: fc.constantFrom(...outcomes) }),
  fc.record({
    kind: fc.constant('lead' as const),
    field: fc.constantFrom(...askedFields, 'custom.plan' as const),
    is: fc.boolean(),
    value: fc
      .oneof(
        fc.string({ maxLength: 20, unit: 'grapheme' }),
        fc.constantFrom('"', '\\', '\\"', "'", '\\\\', ') or ('),
      )
      .filter(value => !/\p{Cc}/u.test(value)),
  }),
)
const { condition: anyCondition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  previous: fc.option(
    fc.record(Object.fromEntries(outcomes.map(outcome => [outcome, fc.boolean()])) as never, {
      requiredKeys: [],
    }),
  ),
  lead: fc.record({ title: fc.string(), custom: fc.dictionary(fc.string(), fc.string()) }),
})

describe('whatever comes', () => {
  test('what is printed parses back to the same', () => {
    fc.assert(
      fc.property(anyCondition, condition => {
        const text = conditionText(condition)
        fc.pre(text.length <= CONDITION_LENGTH_MAX)
        expect(parseCondition(text)).toEqual(condition)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a negation holds exactly where the condition does not, and the words never fail', () => {
    fc.assert(
      fc.property(anyCondition, anyFacts, (condition, given) => {
        const { holds: is, because } = holds(condition, given)
        expect(holds({ kind: 'not', of: condition }, given).holds).toBe(!is)
        expect(because).not.toBe('')
        expect(inWords(condition)).toMatch(/^only if /)
      }),
    )
  })

  test('garbage is refused with a place in it, and with nothing else', () => {
    const words = fc.constantFrom(
      '(',
      ')',
      '!',
      '==',
      '!=',
      '"',
      "'",
      '\\',
      'and',
      'or',
      'not',
      'opened',
      'lead.title',
      ' ',
      '\0',
    )
    const garbage = fc.oneof(
      anyText({ maxLength: 600 }),
      fc.array(words, { maxLength: 60 }).map(parts => parts.join('')),
      fc.array(words, { maxLength: 60 }).map(parts => parts.join(' ')),
      fc.constantFrom(...hostileTexts),
      fc.constantFrom(...hostileTexts).map(text => `lead.title == "${text}"`),
    )
    fc.assert(
      fc.property(garbage, text => {
        try {
          // What is taken is text that the database takes too.
          expect(JSON.stringify(parseCondition(text))).not.toMatch(/\\u0000|\\ud[89a-f]/)
        } catch (error) {
          expect(error).toBeInstanceOf(ConditionFault)
          const { at } = error as ConditionFault
          expect(at).toBeGreaterThanOrEqual(1)
          expect(at).toBeLessThanOrEqual(text.length + 1)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
