/** Focuses the next part of a dialog when it replaces the previous one. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
