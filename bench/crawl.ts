/**
 * How many pages the crawler reads in a second, from bytes to facts, beside a bare `cheerio.load` of the same pages, which
 * finds nothing yet. In turns, in one process; prints the ratio. Run it with `npm run bench:crawl`.
 */
import { load } from 'cheerio'
import { decode } from '#adapters/crawler/charset.ts'
import { extract } from '#adapters/crawler/extract.ts'
import { median } from './support/stage.ts'
import { companyPages } from './support/web-pages.ts'

const PAGES = 60
const ROUNDS = 9
const RATIO_MIN = 0.5
const FACTS_MIN = 40

const pages = companyPages(PAGES)
const bytes = pages.map(page => Buffer.from(page))
const kib = bytes.reduce((sum, { length }) => sum + length, 0) / 1024
console.log(`${PAGES} pages of ${Math.round(kib / PAGES)} KiB on average, ${ROUNDS} rounds in turns\n`)

const headers = { 'content-type': 'text/html; charset=utf-8', server: 'nginx' }
const source = {
  url: 'https://company.example/team',
  isHome: true,
  headers,
  agent: 'rapport',
  plainHosts: [],
}
let facts = 0

const readAll = () => {
  facts = 0
  for (const page of bytes) facts += extract(decode(page, headers['content-type']), source).facts.length
}
const loadAll = () => {
  for (const page of pages) load(page)
}

perSecond(readAll)
perSecond(loadAll)
const rounds = Array.from({ length: ROUNDS }, (_, round) => {
  // Whoever comes second inherits the other's litter: they take turns in that too.
  if (round % 2 === 0) return { own: perSecond(readAll), bare: perSecond(loadAll) }
  const bare = perSecond(loadAll)
  return { own: perSecond(readAll), bare }
})
const ratio = median(rounds.map(({ own, bare }) => own / bare))
console.log(`bytes to facts: ${Math.round(median(rounds.map(({ own }) => own)))} pages/s`)
console.log(`bare cheerio.load: ${Math.round(median(rounds.map(({ bare }) => bare)))} pages/s\n`)
const found = facts / PAGES
const passes = [
  judge('facts', `${found.toFixed(0)} a page`, found >= FACTS_MIN, `at least ${FACTS_MIN}`),
  judge('ratio', ratio.toFixed(2), ratio >= RATIO_MIN, `at least ${RATIO_MIN}`),
]
process.exitCode = passes.every(Boolean) ? 0 : 1

function perSecond(work: () => void): number {
  const began = performance.now()
  work()
  return PAGES / ((performance.now() - began) / 1_000)
}

function judge(what: string, value: string, good: boolean, wanted: string): boolean {
  console.log(`${good ? 'PASS' : 'FAIL'} ${what}: ${value} (${wanted})`)
  return good
}
