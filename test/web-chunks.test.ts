import { describe, expect, test } from 'vitest'
import { planChunks, type BuiltChunk } from '../scripts/web-chunks.ts'

const LARGE = 100_000
const MEDIUM = 2_000
const SMALL = 500

describe('the files of the web app', () => {
  test('what is there before any page is one file', () => {
    const plan = planChunks([
      app({ imports: ['react', 'router'] }),
      shared('react', { bytes: LARGE }),
      shared('router', { imports: ['react'], bytes: LARGE }),
      page('leads', { imports: ['react'] }),
      page('tasks', { imports: ['react', 'router'] }),
    ])
    expect(filesOf(plan)).toEqual([['main', 'react', 'router']])
  })

  test('small ones that the same pages need come together, and large ones with them', () => {
    const plan = planChunks([
      app(),
      shared('menu', { bytes: SMALL }),
      shared('list', { bytes: LARGE }),
      page('leads', { imports: ['menu', 'list'] }),
      page('tasks', { imports: ['menu', 'list'] }),
    ])
    expect(filesOf(plan)).toEqual([['list', 'menu'], ['main']])
  })

  test('a page that needs little is not made to load much', () => {
    const plan = planChunks([
      app(),
      shared('menu', { bytes: SMALL }),
      shared('chart', { bytes: LARGE }),
      page('leads', { imports: ['menu', 'chart'] }),
      page('calls', { imports: ['menu', 'chart'] }),
      page('tasks', { imports: ['menu'] }),
    ])
    expect(plan.get('chart')).not.toBe(plan.get('menu'))
  })

  test('nor to load what another part of the file needs', () => {
    const built = (bytes: number) => [
      app(),
      shared('menu', { bytes: MEDIUM }),
      shared('row', { imports: ['chart'], bytes: MEDIUM }),
      shared('chart', { bytes }),
      page('leads', { imports: ['menu', 'row'] }),
      page('calls', { imports: ['menu', 'row'] }),
      page('tasks', { imports: ['menu'] }),
      ...Array.from({ length: 12 }, (_, n) => page(`chart${n}`, { imports: ['chart'] })),
    ]
    const [heavy, light] = [planChunks(built(LARGE)), planChunks(built(SMALL))]
    expect(heavy.get('menu')).not.toBe(heavy.get('row'))
    expect(light.get('menu')).toBe(light.get('row'))
  })

  test('what a page loads later does not count where the page has it already', () => {
    const built = (dialogImports: string[]) => [
      app(),
      shared('input', { bytes: LARGE }),
      shared('list', { bytes: LARGE }),
      page('leads', { imports: ['input', 'list'], dynamicImports: ['dialog'] }),
      page('dialog', { imports: dialogImports }),
    ]
    expect(filesOf(planChunks(built(['input'])))).toEqual([['input', 'list'], ['main']])
  })

  test('no file needs another that needs it', () => {
    const built = (one: string[]) => [
      app(),
      shared('one', { imports: one, bytes: SMALL }),
      shared('other', { bytes: SMALL }),
      page('between', { imports: ['other'] }),
      page('leads', { imports: ['one', 'other'] }),
      page('calls', { imports: ['one', 'other'] }),
    ]
    const [straight, around] = [planChunks(built(['other'])), planChunks(built(['between']))]
    expect(straight.get('one')).toBe(straight.get('other'))
    expect(around.get('one')).not.toBe(around.get('other'))
  })

  test('pages keep their own files, and each file its own name', () => {
    const plan = planChunks([
      app(),
      shared('ui/menu', { bytes: LARGE }),
      shared('pages/menu', { bytes: LARGE }),
      page('leads', { imports: ['ui/menu'] }),
      page('calls', { imports: ['ui/menu', 'pages/menu'] }),
      page('tasks', { imports: ['pages/menu'] }),
    ])
    expect([...plan]).toEqual([
      ['main', 'app'],
      ['ui/menu', 'menu'],
      ['pages/menu', 'menu-2'],
    ])
  })
})

type Parts = Partial<BuiltChunk> & { bytes?: number }

function app(parts: Parts = {}): BuiltChunk {
  return chunk('main', { isEntry: true, ...parts })
}

function page(name: string, parts: Parts): BuiltChunk {
  return chunk(name, { isDynamicEntry: true, ...parts })
}

function shared(name: string, parts: Parts): BuiltChunk {
  return chunk(name, parts)
}

function chunk(name: string, { bytes = SMALL, ...parts }: Parts): BuiltChunk {
  return {
    fileName: name,
    isEntry: false,
    isDynamicEntry: false,
    imports: [],
    dynamicImports: [],
    modules: { [name]: { renderedLength: bytes } },
    ...parts,
  }
}

function filesOf(plan: ReadonlyMap<string, string>): string[][] {
  return [...Map.groupBy(plan, ([, name]) => name).values()]
    .map(list => list.map(([id]) => id).toSorted())
    .toSorted()
}
