/** The rows of the list, as they are on the page. */
export function shownRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main [data-row]')]
}

/** The row that has the focus, also within it, or else the one that is open. */
export function rowHere(): HTMLElement | undefined {
  const own = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-row]')
  return own ?? shownRows().find(row => row.getAttribute('aria-current') === 'page')
}

export function idOf(row: HTMLElement): string {
  return row.dataset.row!
}

/** False if it has left the list. */
export function focusRowOf(id: string): boolean {
  const row = shownRows().find(row => idOf(row) === id)
  row?.focus()
  return row !== undefined
}

/** Moves the focus along the rows; Enter opens one. */
export function focusRow(step: 1 | -1): void {
  const rows = shownRows()
  const here = rowHere()
  const at = here ? rows.indexOf(here) : -1
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
}
