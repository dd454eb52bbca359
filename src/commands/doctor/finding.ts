/** One line of the examination. */
export type Finding = { mark: '✓' | '–' | '✗'; what: string; text: string }

export const good = (what: string, text: string): Finding => ({ mark: '✓', what, text })
/** Worth knowing, and nothing wrong. */
export const note = (what: string, text: string): Finding => ({ mark: '–', what, text })
/** Broken; the text says how to fix it. */
export const bad = (what: string, text: string): Finding => ({ mark: '✗', what, text })

export function broken(finding: Finding): boolean {
  return finding.mark === '✗'
}

const WIDTH = 15

export function line({ mark, what, text }: Finding): string {
  return `${mark} ${what.padEnd(WIDTH)} ${text}`
}
