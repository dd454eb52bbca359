import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { full } from '#test/tier.ts'
import { goOn, leadsInside, QUIET, type Stage } from './browser.ts'

type Rules = {
  without?: string[]
  only?: string[]
  /** What frames every page is left out. */
  frameless?: boolean
  /** What the scene does opens nothing: the page is left as one that was only looked at. */
  still?: boolean
}

/** What stands around every page. */
const FRAME = ['aside[aria-label=Navigation]', 'nav[aria-label=Top]']

/** One row or card is like another: the quick tier looks at the first of them. */
const ALIKE = full ? [] : ['main [role=row]:nth-child(n+8)', 'main [data-card]:nth-child(n+4)']

const LOOKS_MAX = 5

/** What was found while a part of the page began to load is not how the page looks: then it is looked at again. */
async function faultsOnceLoaded(page: Page, rules: Rules): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    await page.locator('main:not(:has([aria-busy=true]))').waitFor()
    const before = await page.evaluate(TIMES_BUSY)
    const found = await axeFaults(page, rules)
    if (looks === LOOKS_MAX || (await page.evaluate(TIMES_BUSY)) === before) return found
  }
}

/** How often a part of the page has begun or ended to load since this was asked for the first time. */
const TIMES_BUSY = `(() => {
  if (window.timesBusy === undefined) {
    window.timesBusy = 0
    const isBusy = node => node.ariaBusy === 'true' || Boolean(node.querySelector?.('[aria-busy=true]'))
    new MutationObserver(changes => {
      if (changes.some(({ type, addedNodes, removedNodes }) => type === 'attributes' || [...addedNodes, ...removedNodes].some(isBusy)))
        timesBusy++
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] })
  }
  return timesBusy
})()`

/** What lies over the page: a dialog, a menu, a list to choose from. */
const OVERLAYS = ['dialog', 'menu', 'listbox'].map(role => `[data-portal] [role=${role}]`)

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe finds wrong on the page as it is now, one line each. Its half a megabyte is brought to each page once. */
export async function axeFaults(
  page: Page,
  { without = [], only, frameless = false }: Rules = {},
): Promise<string[]> {
  if (!(await page.evaluate('typeof window.axe === "object"'))) await page.evaluate(AXE)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    iframes: false,
    ...(only
      ? { runOnly: { type: 'rule', values: only } }
      : { rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])) }),
  }
  // What lies below it was looked at before it was opened. A list that is closed lies over nothing.
  const over = await openOverlays(page)
  const context =
    over.length > 0 ? over : { include: 'html', exclude: [...ALIKE, ...(frameless ? FRAME : [])] }
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as axe.Result[]
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, target }) => `${html} (${target.join(' ')})`).join(' | ')}`,
  )
}

function openOverlays(page: Page): Promise<string[]> {
  return page.evaluate(
    `${JSON.stringify(OVERLAYS)}.filter(each => [...document.querySelectorAll(each)].some(one => one.checkVisibility()))`,
  )
}

export type Scene = [path: string, act?: (page: Page) => Promise<unknown>, rules?: Rules]

/** A scene for the full tier alone: it is made of the same kinds of components as others. */
export function furtherScene(...scene: Scene): Scene[] {
  return full ? [scene] : []
}

/** With other colours nothing else can become wrong. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** A page that asks for little. */
const ELSEWHERE = '/settings/sessions'
/** A page that asks whether to leave does not let go by itself. */
const LEAVE_MS = 2_000

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

/** How a page can be looked at; a scene of the quick tier is seen in one of them, by turns. */
const looks = [
  { viewport: WIDE, colours: 'light' },
  { viewport: WIDE, colours: 'dark' },
  { viewport: PHONE, colours: 'dark' },
] as const

/**
 * What axe finds in the scenes, what the pages complain of, and what sticks out. In the full tier each scene is seen wide in
 * light and dark and on a dark phone; otherwise in one of these by turns, since a component that is wrong in a look is
 * wrong in most scenes that have it.
 */
export async function faultsInEveryLook(
  stage: Stage,
  ready: string,
  scenes: readonly Scene[],
): Promise<string[]> {
  return full ? faultsInAllLooks(stage, ready, scenes) : faultsByTurns(stage, ready, scenes)
}

async function faultsByTurns(stage: Stage, ready: string, scenes: readonly Scene[]): Promise<string[]> {
  const first = scenes[0]![0]
  // Files begin with different looks, so that what frames every page is seen in all of them. Those of a look come together.
  const seen = scenes.map((scene, turn) => ({ scene, look: (turn + first.length) % looks.length }))
  const order = seen.toSorted((one, other) => one.look - other.look)
  const { page, complaints } = await stage.visit(order[0]!.scene[0], { colorScheme: 'light', viewport: WIDE })
  const faults: string[] = []
  let untouched = true
  let shown: 'light' | 'dark' = 'light'
  let size: Size = WIDE
  for (const { scene, look } of order) {
    const [path, act, rules = {}] = scene
    const { viewport, colours } = looks[look]!
    // What is opened for a scene is opened in a wide window; a page as it is comes up on the phone.
    const opens = act !== undefined && !rules.still
    const shownIn = opens ? WIDE : viewport
    if (size !== shownIn) await resize(page, (size = shownIn))
    await show(page, stage.app.url + path, { untouched, ready, act, opens })
    untouched = !opens
    if (colours !== shown) await recolour(page, (shown = colours))
    if (size !== viewport) await resize(page, (size = viewport))
    const looked = viewport === PHONE && path !== first ? plain(rules) : rules
    const found = await faultsOnceLoaded(page, { ...looked, frameless: path !== first })
    if (await isTooWide(page)) found.push('too wide')
    const told = [...found, ...complaints.splice(0)]
    faults.push(...told.map(fault => `${path} ${viewport.width} ${colours}: ${fault}`))
  }
  return faults
}

/** What was opened for a scene is made narrow with it; a page as it stands is opened on the phone. */
async function faultsInAllLooks(stage: Stage, ready: string, scenes: readonly Scene[]): Promise<string[]> {
  const faults: string[] = []
  for (const { viewport, colours } of [looks[0], looks[2]]) {
    const { page, complaints } = await stage.visit(QUIET, { colorScheme: colours, viewport })
    let untouched = false
    for (const [path, act, rules = {}] of scenes) {
      if (act && !rules.still && viewport === PHONE) continue
      // The frame is the same around all of them.
      const isFirst = path === scenes[0]![0]
      const opens = act !== undefined && !rules.still
      const look = async (colours: string, rules: Rules, { width } = viewport as Size) => {
        const found = await faultsOnceLoaded(page, { ...rules, frameless: !isFirst })
        if (await isTooWide(page)) found.push('too wide')
        const told = [...found, ...complaints.splice(0)]
        faults.push(...told.map(fault => `${path} ${width} ${colours}: ${fault}`))
      }
      await show(page, stage.app.url + path, { untouched, ready, act, opens })
      untouched = !opens
      if (viewport === PHONE) {
        await look(colours, isFirst ? rules : plain(rules))
        continue
      }
      await look(colours, rules)
      await recolour(page, 'dark')
      await look('dark', { only: without(COLOUR_RULES, rules) })
      if (opens) {
        await resize(page, PHONE)
        await look('dark', plain(rules), PHONE)
        await resize(page, WIDE)
      }
      await recolour(page, 'light')
    }
    await page.context().close()
  }
  return faults
}

type Showing = { untouched: boolean; ready: string; act: Scene[1]; opens: boolean }

/** Goes there and does what the scene is about. */
async function show(page: Page, address: string, { untouched, ready, act, opens }: Showing): Promise<void> {
  if (!untouched) await leaveFor(page, address)
  else if (page.url() !== address) await goOn(page, address)
  await page.locator(ready).first().waitFor()
  await page.locator('main:not(:has([aria-busy=true]))').waitFor()
  await act?.(page)
  // A dialog or menu comes in with a short movement.
  if (opens) await page.evaluate(SETTLED)
}

/** Loading the app and axe anew takes longer than all the rest: where nothing of the scene before stays open, it is left as a person would. */
async function leaveFor(page: Page, address: string): Promise<void> {
  if (!(await isLeftFor(page, address))) await page.goto(address)
}

async function isLeftFor(page: Page, address: string): Promise<boolean> {
  if (!(await leadsInside(page, address))) return false
  for (let tries = 0; tries < 2 && (await openOverlays(page)).length > 0; tries++) {
    await page.keyboard.press('Escape')
    await page.evaluate(SETTLED)
  }
  if ((await openOverlays(page)).length > 0) return false
  try {
    // The same page again begins with another one between.
    if (new URL(page.url()).pathname === new URL(address).pathname)
      await goOn(page, new URL(ELSEWHERE, address).href, LEAVE_MS)
    await goOn(page, address, LEAVE_MS)
    return true
  } catch {
    return false
  }
}

function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth')
}

async function resize(page: Page, to: Size): Promise<void> {
  await page.setViewportSize(to)
  await page.evaluate(DRAWN)
}

type Size = { width: number; height: number }

/** What follows the size of the window has followed it. */
export const DRAWN =
  'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** Nothing has moved for some frames, however long a frame takes; what turns for ever does not count. */
const SETTLED = `new Promise(done => {
  let still = 0
  const moves = ({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().iterations !== Infinity
  const look = () => {
    still = document.getAnimations().some(moves) ? 0 : still + 1
    if (still > 3) done()
    else requestAnimationFrame(look)
  }
  look()
})`

/** As when the evening comes while one looks: the page, with all that is open on it, follows the system. */
async function recolour(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(STILL)
  await page.emulateMedia({ colorScheme })
  // Pages that the server makes follow by their style sheet alone.
  const settled = `html[data-mantine-color-scheme=${colorScheme}], html:not([data-mantine-color-scheme])`
  await page.locator(settled).waitFor()
}

/** Without it a colour is handed down one generation per frame. */
const STILL = `if (document.adoptedStyleSheets.length === 0) {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(still)
}`

/** On a phone the colours are those that were looked at already, but for what frames every page. */
function plain(rules: Rules): Rules {
  return { ...rules, without: [...(rules.without ?? []), ...COLOUR_RULES] }
}

function without(rules: readonly string[], { without: left = [] }: Rules): string[] {
  return rules.filter(rule => !left.includes(rule))
}
