import type { ShownWidget } from './public-contract.ts'

const WHITE = '#ffffff'
const NEAR_BLACK = '#10191c'
/** Where coloured text is seen: the page, and a tint on it. */
const LIGHT_GROUNDS = [WHITE, '#f1f4f4']
const DARK_GROUNDS = ['#131617', '#1d2224']

/** What WCAG asks of text of any size. */
export const TEXT_CONTRAST = 4.5
const STEP = 0.02

/**
 * A team's colour as its widget uses it: as it is where text on it can be read, else darkened until it can; in a dark page
 * lightened. What is written in the colour is made darker or lighter until it can be read on the page.
 */
export function shownColours(colour: string): ShownWidget['colour'] {
  const [fill, on_fill] = filled(colour, WHITE)
  const [dark_fill, on_dark_fill] = filled(colour, NEAR_BLACK)
  return {
    fill,
    on_fill,
    text: towards(colour, '#000000', LIGHT_GROUNDS),
    dark_fill,
    on_dark_fill,
    dark_text: towards(colour, WHITE, DARK_GROUNDS),
  }
}

/** From 1 to 21, by WCAG 2. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The fill and what is written on it: white if that can be read, else near-black; else the fill gives way to `last`. */
function filled(colour: string, last: string): [fill: string, on: string] {
  const on = [WHITE, NEAR_BLACK].find(each => contrastOf(colour, each) >= TEXT_CONTRAST)
  if (on) return [colour, on]
  return [towards(colour, last === WHITE ? '#000000' : WHITE, [last]), last]
}

/** Step by step towards black or white, until it can be told from all of these. */
function towards(colour: string, end: string, from: readonly string[]): string {
  let [now, part] = [colour, 0]
  while (part < 1 && from.some(each => contrastOf(now, each) < TEXT_CONTRAST)) {
    part += STEP
    now = mixed(colour, end, Math.min(part, 1))
  }
  return now
}

function mixed(colour: string, end: string, part: number): string {
  const [from, to] = [channels(colour), channels(end)]
  const parts = from.map((value, at) => Math.round(value + (to[at]! - value) * part))
  return `#${parts.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
}
