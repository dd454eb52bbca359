import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { rowOf } from './browser.ts'

/** Where one value of a record is changed and seen. */
export type Place = {
  open: () => Promise<unknown>
  choose: (word: string) => Promise<unknown>
  shows: (word: string) => Promise<unknown>
}

/** A field of the page that saves itself when it is left. */
export function inField(page: Page, path: string, label: string): Place {
  const field = page.getByRole('textbox', { name: label, exact: true })
  return {
    open: () => go(page, path),
    async choose(word) {
      await field.fill(word)
      await field.blur()
    },
    async shows(word) {
      await expect.poll(() => field.inputValue()).toBe(word)
    },
  }
}

/** A value of the page that becomes a field when it is clicked. */
export function inPlace(page: Page, path: string, label: string): Place {
  return {
    open: () => go(page, path),
    async choose(word) {
      await page.getByRole('button', { name: new RegExp(`^${label} `) }).click()
      await page.getByRole('textbox', { name: label, exact: true }).fill(word)
      await page.keyboard.press('Enter')
    },
    shows: word => page.getByRole('button', { name: `${label} ${word}`, exact: true }).waitFor(),
  }
}

/** A list that drops down, and saves what is chosen. */
export function inDropdown(page: Page, path: string, label: string): Place {
  const field = page.getByRole('dialog').getByRole('combobox', { name: label, exact: true })
  return {
    open: () => go(page, path),
    async choose(word) {
      await field.click()
      await page.getByRole('option', { name: word, exact: true }).click()
    },
    async shows(word) {
      await expect.poll(() => field.inputValue()).toBe(word)
    },
  }
}

/** An outcome that a button sets. */
export function inDrawer(page: Page, path: string): Place {
  const drawer = page.getByRole('dialog')
  return {
    open: () => go(page, path),
    choose: word => drawer.getByRole('button', { name: word, exact: true }).click(),
    shows: word => drawer.getByRole('region', { name: 'Status' }).getByText(word, { exact: true }).waitFor(),
  }
}

export function inSelect(page: Page, path: string, label: string): Place {
  const field = page.getByRole('combobox', { name: label })
  return {
    open: () => go(page, path),
    choose: word => field.selectOption({ label: word }),
    async shows(word) {
      await expect.poll(() => field.locator('option:checked').textContent()).toBe(word)
    },
  }
}

/** A dialog with the due date, behind which the page shows it. */
export function inTerms(page: Page, path: string): Place {
  return {
    open: () => go(page, path),
    async choose(word) {
      await page.getByRole('button', { name: /^More actions for/ }).click()
      await page.getByRole('menuitem', { name: 'Edit due date and note' }).click()
      const dialog = page.getByRole('dialog', { name: /^Due date and note of/ })
      await dialog.getByLabel('Due date').fill(new Date(`${word} UTC`).toISOString().slice(0, 10))
      await dialog.getByRole('button', { name: 'Save' }).click()
    },
    shows: word => page.locator('article').getByText(word, { exact: true }).waitFor(),
  }
}

/** Paused and resumed from the menu of a row or a page. */
export function inMenu(page: Page, name: string, path: string): Place {
  return {
    open: () => go(page, path),
    async choose(word) {
      await page.getByRole('button', { name: `More actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: word === 'Paused' ? 'Pause' : 'Resume', exact: true }).click()
    },
    // On its page with its version.
    shows: word =>
      page
        .getByRole('main')
        .getByText(new RegExp(`^${word}( v\\d+)?$`))
        .first()
        .waitFor(),
  }
}

export function inList(page: Page, name: string, path: string): Place {
  const cell = (word: string) => rowOf(page, name).getByRole('gridcell').filter({ hasText: word }).first()
  let shown = ''
  return {
    open: () => go(page, path),
    async choose(word) {
      // A cell that is chosen already would open at once.
      await rowOf(page, name).getByRole('gridcell').nth(1).click()
      await cell(shown).click()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: word, exact: true }).click()
    },
    async shows(word) {
      shown = word
      await cell(word).waitFor()
    },
  }
}

export function onBoard(page: Page, name: string, path: string): Place {
  const column = (word: string) =>
    page
      .locator('section[data-column]')
      .filter({ has: page.getByRole('heading', { name: word, exact: true }) })
  return {
    open: () => go(page, path),
    async choose(word) {
      await page.locator('[data-main]').filter({ hasText: name }).focus()
      await page.keyboard.press('m')
      await page.getByRole('menuitem', { name: word, exact: true }).click()
    },
    shows: word => column(word).locator('[data-card]').filter({ hasText: name }).waitFor(),
  }
}

export function onPage(page: Page, path: string): Place {
  const step = (word: string) =>
    page.getByRole('group', { name: 'Stage' }).getByRole('button', { name: word, exact: true })
  return {
    open: () => go(page, path),
    choose: word => step(word).click(),
    shows: word => step(word).and(page.locator('[aria-current=step]')).waitFor(),
  }
}

function go(page: Page, path: string) {
  return page.goto(new URL(path, page.url()).href)
}
