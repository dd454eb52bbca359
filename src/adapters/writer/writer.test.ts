import { afterEach, describe, expect, test } from 'vitest'
import type { Fact, WritingTask } from '#platform/ports/writer.ts'
import { startHttp, type Answered } from '#test/http-server.ts'
import { workOf } from '#test/work.ts'
import { openaiWriter } from './openai.ts'
import { paragraphOf } from './paragraph.ts'
import { rulesWriter } from './rules.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const facts: Fact[] = [
  { name: 'role', value: 'Head of Sales' },
  { name: 'company', value: 'Analytical Engines' },
  { name: 'industry', value: 'manufacturing' },
  { name: 'city', value: 'London' },
]
const task = (more: Partial<WritingTask> = {}): WritingTask => ({
  facts,
  prompt: 'Write one sentence about Ada.',
  characters_max: 300,
  timeout_ms: 2_000,
  ...more,
})

describe('the rules', () => {
  const write = async (known: Fact[], characters_max = 300) =>
    (await rulesWriter().write(task({ facts: known, characters_max }))).text

  test('write from what is known, and say by what', async () => {
    await rulesWriter().check()
    const writing = await rulesWriter().write(task())
    expect(writing).toMatchObject({ model: 'rules-1', tokens_in: 0, tokens_out: 0 })
    expect(writing.text).toContain('Head of Sales')
    expect(writing.text).toContain('Analytical Engines')
  })

  test('write the same about the same, and not the same about everybody', async () => {
    expect(await write(facts)).toBe(await write(structuredClone(facts)))
    const beginnings = new Set<string>()
    for (let at = 0; at < 30; at++) {
      const text = await write([
        { name: 'role', value: `Role${at}` },
        { name: 'company', value: 'Acme' },
      ])
      beginnings.add(text.replace(`Role${at}`, 'X'))
    }
    expect(beginnings.size).toBeGreaterThan(1)
  })

  test('never say a word that is neither theirs nor a fact', async () => {
    const known = new Set(facts.flatMap(fact => fact.value.split(' ')))
    const own = new Set(
      'I am writing to you as at You are and that is why My question one for the because works in thought of This about people who Thank filling'.split(
        ' ',
      ),
    )
    for (const [at] of facts.entries()) {
      const text = await write(facts.slice(at))
      const foreign = text
        .replace(/[.,“”]/g, '')
        .split(' ')
        .filter(word => !known.has(word) && !own.has(word))
      expect(foreign).toEqual([])
    }
  })

  test.for<[Fact[], RegExp]>([
    [[{ name: 'Job title', value: 'CTO' }], /\bCTO\b/],
    [[{ name: 'website', value: 'https://www.engines.example/about?x=1' }], /\bengines\.example\b(?!\/)/],
    [[{ name: 'industry', value: 'textiles' }], /textiles/],
    [[{ name: 'city', value: 'Turin' }], /Turin/],
    [
      [
        { name: 'form', value: 'Request a demo' },
        { name: 'role', value: 'CTO' },
      ],
      /“Request a demo”.*CTO/,
    ],
  ])('of %j', async ([known, pattern]) => {
    expect(await write(known)).toMatch(pattern)
  })

  test.for<[string, Fact[]]>([
    ['nothing', []],
    ['what they do not know', [{ name: 'shoe_size', value: '44' }]],
    ['a note of a colleague', [{ name: 'note', value: 'Difficult, but rich' }]],
    ['an empty value', [{ name: 'role', value: '  ' }]],
    ['an address that a stranger typed', [{ name: 'company', value: 'Win at https://evil.example' }]],
    ['an address without a beginning', [{ name: 'company', value: 'evil.example/win now' }]],
    ['markup', [{ name: 'company', value: '<b>Acme</b>' }]],
    ['a placeholder', [{ name: 'company', value: '{{company}}' }]],
    ['a whole story', [{ name: 'role', value: 'x'.repeat(81) }]],
  ])('write nothing of %s', async ([, known]) => {
    await expect(write(known)).rejects.toThrow('Not enough is known')
  })

  test('keep to the length, and rather say less', async () => {
    const whole = await write(facts)
    expect(await write(facts, whole.length)).toBe(whole)
    const less = await write(facts, whole.length - 1)
    expect(less.length).toBeLessThan(whole.length)
    await expect(write(facts, 5)).rejects.toThrow('Not enough is known')
  })

  test('make one line of what has several', async () => {
    const text = await write([{ name: 'company', value: 'Analytical\r\nEngines.' }])
    expect(text).toContain('Analytical Engines')
    expect(text).not.toMatch(/[\r\n]|\.\./)
  })
})

describe('a model', () => {
  const said = (content: unknown, more: object = {}): Answered => ({
    body: {
      model: 'small-2026',
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
      usage: { prompt_tokens: 40, completion_tokens: 12 },
    },
  })

  async function start(answer: Parameters<typeof startHttp>[0]) {
    const provider = await startHttp(answer)
    closing.push(() => provider.close())
    const writer = openaiWriter({ apiKey: 'canary-key', baseUrl: `${provider.url}/v1/`, model: 'small' })
    return { writer, heard: provider.heard }
  }

  test('is asked what the task says and nothing else, within bounds', async () => {
    const { writer, heard } = await start(() => said('You lead sales at Analytical Engines.'))
    expect(await writer.write(task())).toEqual({
      text: 'You lead sales at Analytical Engines.',
      model: 'small-2026',
      tokens_in: 40,
      tokens_out: 12,
    })
    expect(heard[0]).toMatchObject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { authorization: 'Bearer canary-key' },
    })
    expect(JSON.parse(heard[0]!.body)).toEqual({
      model: 'small',
      messages: [{ role: 'user', content: 'Write one sentence about Ada.' }],
      temperature: 0.3,
      max_tokens: 300,
    })
    await writer.write(task({ characters_max: 10_000 }))
    expect(JSON.parse(heard[1]!.body)).toMatchObject({ max_tokens: 600 })
  })

  test('that was cut off has its last whole sentence kept', async () => {
    const { writer } = await start(() => said('You lead sales. You also', { finish_reason: 'length' }))
    expect((await writer.write(task())).text).toBe('You lead sales.')
  })

  test('that does not count has used nothing that is known', async () => {
    const { writer } = await start(() => ({ body: { choices: [{ message: { content: 'Hello you.' } }] } }))
    expect(await writer.write(task())).toEqual({
      text: 'Hello you.',
      model: 'small',
      tokens_in: 0,
      tokens_out: 0,
    })
  })

  test.for<[string, Answered]>([
    ['nothing', said('')],
    ['white space', said(' \n ')],
    ['no text', said(null)],
    ['a link alone', said('https://evil.example/x')],
    ['a gap', said('Hello [Name], nice work.')],
    ['a placeholder', said('Hello {{firstName}}.')],
    ['no choice', { body: { choices: [] } }],
    ['no JSON', { body: '<html>' }],
    ['a refusal', { status: 401, body: { error: { message: 'Incorrect API key provided: canary-key' } } }],
    ['too much to do', { status: 429, body: {} }],
    ['a fault', { status: 500, body: {} }],
    ['too much', { body: 'x'.repeat(300_000) }],
  ])('that answers %s has written nothing, and its key is in no message', async ([, answer]) => {
    const { writer } = await start(() => answer)
    const failure = await writer.write(task()).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect((failure as Error).message).not.toContain('canary')
  })

  test('that takes too long is not waited for', async () => {
    const { writer } = await start(() => undefined)
    await expect(writer.write(task({ timeout_ms: 100 }))).rejects.toThrow('within 0.1 seconds')
  })

  test('is there, or the check says what is wrong', async () => {
    const list = (ids: string[], status = 200) => ({ status, body: { data: ids.map(id => ({ id })) } })
    await (await start(() => list(['large', 'small']))).writer.check()
    await expect((await start(() => list(['large']))).writer.check()).rejects.toThrow('small is not one')
    await expect((await start(() => list([], 401))).writer.check()).rejects.toThrow('rejected the API key')
    await expect((await start(() => list([], 500))).writer.check()).rejects.toThrow('answered 500')
  })
})

describe('a paragraph', () => {
  const plain = (text: string, characters_max = 200, whole = true) =>
    paragraphOf(text, { characters_max, whole })

  test.for<[string, string]>([
    ['"You lead sales."', 'You lead sales.'],
    ['“You lead sales.”', 'You lead sales.'],
    ['„Sie leiten den Vertrieb.“', 'Sie leiten den Vertrieb.'],
    ['"You" lead "sales"', '"You" lead "sales"'],
    ["It's Ada's", "It's Ada's"],
    ['First.\n\nSecond.', 'First.'],
    ['One line\nand its end.', 'One line and its end.'],
    ['**You** lead _sales_ at `Acme`.', 'You lead sales at Acme.'],
    ['# Title here', 'Title here'],
    ['- You lead sales.', 'You lead sales.'],
    ['1. You lead sales.', 'You lead sales.'],
    ['snake_case_name stays, 2 * 3 * 4 too', 'snake_case_name stays, 2 * 3 * 4 too'],
    ['See [our site](https://evil.example) now.', 'See our site now.'],
    ['See https://evil.example/a?b=1 now.', 'See now.'],
    ['See it (www.evil.example).', 'See it.'],
    ['<p>You <b>lead</b> sales.</p><script>alert(1)</script>', 'You lead sales.'],
    ['<think>Hmm.\n\nWell.</think>\nYou lead sales.', 'You lead sales.'],
    ['You\u0000 lead\u202e sales.', 'You lead sales.'],
    ['Ada leads; 3 < 4 and 5 > 4.', 'Ada leads; 3 < 4 and 5 > 4.'],
    ['你领导销售。', '你领导销售。'],
  ])('of %j is %j', ([text, result]) => {
    expect(plain(text)).toBe(result)
  })

  test('ends with a sentence at its limit', () => {
    expect(plain('One two. Three.', 15)).toBe('One two. Three.')
    expect(plain('One two. Three.', 14)).toBe('One two.')
    expect(plain('One two! Three? Four', 19)).toBe('One two! Three?')
    expect(() => plain('One endless sentence without an end', 10)).toThrow('empty')
    expect(() => plain('cut off in the', 200, false)).toThrow('empty')
  })

  test.for([
    '"'.repeat(50_000),
    '<a '.repeat(50_000),
    '[a]('.repeat(30_000),
    '*_'.repeat(50_000),
    '. '.repeat(50_000),
  ])('is found in a moment whatever a model writes', text => {
    const ms = workOf(() => {
      try {
        plain(text)
      } catch (error) {
        expect((error as Error).message).toMatch(/empty|placeholder/)
      }
    })
    expect(ms).toBeLessThan(2_000)
  })
})
