import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { goOn, type Stage } from './browser.ts'

type Rules = {
  without?: string[]
  only?: string[]
  /** What frames every page is left out. */
  frameless?: boolean
}

/** What stands around every page. */
const FRAME = ['aside[aria-label=Navigation]', 'nav[aria-label=Top]']

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
  const over = await page.evaluate(
    `${JSON.stringify(OVERLAYS)}.filter(each => [...document.querySelectorAll(each)].some(one => one.checkVisibility()))`,
  )
  const context = (over as string[]).length > 0 ? over : { include: 'html', exclude: frameless ? FRAME : [] }
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`
  const violations = (await page.evaluate(run)) as axe.Result[]
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

export type Scene = [path: string, act?: (page: Page) => Promise<unknown>, rules?: Rules]

/** With other colours nothing else can become wrong. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
const windows = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const

/**
 * The scenes wide in light and dark, and on a dark phone: what axe finds, what the page complains of, what sticks out.
 * What was opened for a scene is made narrow with it; a page as it stands is opened on the phone.
 */
export async function faultsInEveryLook(
  stage: Stage,
  ready: string,
  scenes: readonly Scene[],
): Promise<string[]> {
  const faults: string[] = []
  for (const { viewport, colorScheme } of windows) {
    const { page, complaints } = await stage.visit('/docs', { colorScheme, viewport })
    let untouched = false
    for (const [path, act, rules = {}] of scenes) {
      if (act && viewport === PHONE) continue
      // The frame is the same around all of them.
      const isFirst = path === scenes[0]![0]
      const look = async (colours: string, rules: Rules, { width } = viewport as Size) => {
        const found = await axeFaults(page, { ...rules, frameless: !isFirst })
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('too wide')
        const told = [...found, ...complaints.splice(0)]
        faults.push(...told.map(fault => `${path} ${width} ${colours}: ${fault}`))
      }
      // What was opened in the scene before might stay open: then the page starts anew.
      await (untouched ? goOn(page, stage.app.url + path) : page.goto(stage.app.url + path))
      untouched = act === undefined
      await page.locator(ready).first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'hidden' })
      await act?.(page)
      // A dialog or menu comes in with a short movement.
      if (act) await page.evaluate(SETTLED)
      if (viewport === PHONE) {
        await look(colorScheme, isFirst ? rules : plain(rules))
        continue
      }
      await look(colorScheme, rules)
      await recolour(page, 'dark')
      await look('dark', { only: without(COLOUR_RULES, rules) })
      if (act) {
        await page.setViewportSize(PHONE)
        await page.evaluate(DRAWN)
        await look('dark', plain(rules), PHONE)
        await page.setViewportSize(WIDE)
      }
      await recolour(page, 'light')
    }
    await page.context().close()
  }
  return faults
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
    if (still > 8) done()
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
