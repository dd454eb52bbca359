/** For what a dialog goes on with once a part of it has given way to the next: the keyboard goes on there too. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
