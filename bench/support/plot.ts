import type { Result } from './result.ts'

/** Lines over sizes, in milliseconds. */
export type Lines = { sizes: readonly number[]; lines: readonly { name: string; times: readonly number[] }[] }

const WIDTH = 860
const LABELS_WIDTH = 380
const BAR_HEIGHT = 26
const VALUES_WIDTH = 60
const PLOT_HEIGHT = 260
const PLOT_LEFT = 60
const LINE_NAMES_WIDTH = 190
const NAME_HEIGHT = 18
const TITLE_HEIGHT = 62
const GAP = 84
const DASHES = ['', '8 4', '2 4', '10 4 2 4']

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .note { fill: #59636e }
  .value { paint-order: stroke; stroke: #ffffff; stroke-width: 5px }
  .background { fill: #ffffff }
  .bar { fill: #3b6fd4 }
  .grid { stroke: #d8dee4 }
  .limit { stroke: #1f2328; stroke-dasharray: 4 3 }
  .line { fill: none; stroke-width: 2.5 }
  .line0 { stroke: #3b6fd4 } .line1 { stroke: #1a7f5a } .line2 { stroke: #b35900 } .line3 { stroke: #8a4fbf }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .note { fill: #9da7b1 }
    .value { stroke: #0d1117 }
    .background { fill: #0d1117 }
    .bar { fill: #6f9df0 }
    .grid { stroke: #30363d }
    .limit { stroke: #e6edf3 }
    .line0 { stroke: #6f9df0 } .line1 { stroke: #4cc38a } .line2 { stroke: #f0a35e } .line3 { stroke: #c297f0 }
  }`

/** What share of the bare limit the product reaches, and what growth costs, as one picture that follows the reader's colours. */
export function plotOf(results: readonly Result[], growth: Lines): string {
  const bars = results.flatMap(({ job, beside }) => (beside ? [{ job, ratio: beside.ratio }] : []))
  const barsHeight = bars.length * BAR_HEIGHT
  const top = TITLE_HEIGHT + barsHeight + GAP
  const height = top + PLOT_HEIGHT + 60
  const fastest = growth.lines
    .map(({ name, times }) => `${name}: ${times.map(rounded).join(', ')} ms`)
    .join('; ')
  const description = `${bars.map(({ job, ratio }) => `${job}: ${rounded(ratio)}`).join('; ')}. With ${growth.sizes.map(sizeName).join(', ')} leads: ${fastest}.`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Benchmarks of Rapport</title>
<desc id="description">${escaped(description)}</desc>
<style>${STYLE}
</style>
<rect class="background" width="${WIDTH}" height="${height}"/>
${text(20, 28, 'Share of the bare limit', 'title')}
${text(20, 48, '1 is the speed of the bare implementation in the same run; more is faster', 'note')}
${barsOf(bars, barsHeight)}
${text(20, top - 34, 'Time of a request as a team grows', 'title')}
${text(20, top - 14, 'median milliseconds over HTTP, both axes logarithmic', 'note')}
${linesOf(growth, top)}
</svg>
`
}

function barsOf(bars: readonly { job: string; ratio: number }[], height: number): string {
  const most = Math.max(1.1, ...bars.map(({ ratio }) => ratio))
  const scale = (WIDTH - LABELS_WIDTH - VALUES_WIDTH) / most
  const limit = LABELS_WIDTH + scale
  const rows = bars.map(({ job, ratio }, at) => {
    const y = TITLE_HEIGHT + at * BAR_HEIGHT
    const width = Math.max(1, ratio * scale)
    return `${text(LABELS_WIDTH - 10, y + 17, job, '', 'end')}
<rect class="bar" x="${LABELS_WIDTH}" y="${y + 4}" width="${fixed(width)}" height="${BAR_HEIGHT - 8}" rx="2"/>
${text(LABELS_WIDTH + width + 8, y + 17, rounded(ratio), 'value')}`
  })
  return `<path class="limit" d="M${fixed(limit)} ${TITLE_HEIGHT - 4}V${TITLE_HEIGHT + height + 4}"/>\n${rows.join('\n')}`
}

function linesOf({ sizes, lines }: Lines, top: number): string {
  const all = lines.flatMap(({ times }) => times)
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))]
  const right = WIDTH - LINE_NAMES_WIDTH
  const [first, last] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)]
  const x = (size: number) => PLOT_LEFT + ((Math.log10(size) - first) / (last - first)) * (right - PLOT_LEFT)
  const y = (ms: number) => top + ((high - Math.log10(ms)) / Math.max(1, high - low)) * PLOT_HEIGHT
  const powers = Array.from({ length: Math.max(1, high - low) + 1 }, (_, at) => 10 ** (low + at))
  const grid = powers.map(
    ms => `<path class="grid" d="M${PLOT_LEFT} ${fixed(y(ms))}H${right}"/>
${text(PLOT_LEFT - 10, y(ms) + 4, `${Number(ms.toPrecision(1))}`, 'note', 'end')}`,
  )
  const foot = sizes.map(size => text(x(size), top + PLOT_HEIGHT + 22, sizeName(size), 'note', 'middle'))
  const names = apart(lines.map(({ times }) => y(times.at(-1)!)))
  const drawn = lines.map(({ name, times }, at) => {
    const path = times
      .map((ms, which) => `${which ? 'L' : 'M'}${fixed(x(sizes[which]!))} ${fixed(y(ms))}`)
      .join('')
    return `<path class="line line${at % DASHES.length}" stroke-dasharray="${DASHES[at % DASHES.length]}" d="${path}"/>
${text(right + 10, names[at]! + 4, `${name} ${rounded(times.at(-1)!)} ms`)}`
  })
  return [
    ...grid,
    ...foot,
    text((PLOT_LEFT + right) / 2, top + PLOT_HEIGHT + 44, 'leads', 'note', 'middle'),
    ...drawn,
  ].join('\n')
}

/** The same heights in the same order, far enough from each other to be read. */
function apart(heights: readonly number[]): number[] {
  const order = heights.map((_, at) => at).toSorted((a, b) => heights[a]! - heights[b]!)
  const moved = [...heights]
  for (let at = 1; at < order.length; at++)
    moved[order[at]!] = Math.max(moved[order[at]!]!, moved[order[at - 1]!]! + NAME_HEIGHT)
  return moved
}

export function rounded(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}

export function sizeName(size: number): string {
  return size >= 1e6 ? `${size / 1e6}M` : `${size / 1e3}k`
}

function text(x: number, y: number, words: string, className = '', anchor = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}"${className && ` class="${className}"`}${anchor && ` text-anchor="${anchor}"`}>${escaped(words)}</text>`
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)))
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
