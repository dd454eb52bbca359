import { tokenOf } from '../colors.ts'

/**
 * A static version of an email: everything that could run, load, navigate or track is removed. The frame it is shown
 * in blocks scripts too.
 */
export function mailPage(html: string, dark: boolean): string {
  const page = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  for (const element of page.querySelectorAll(UNWANTED)) element.remove()
  const sheets = [LOOK, ...(dark ? [DARK] : []), ...sheetsOf(page), stylesOf(page)]
  for (const element of page.body.querySelectorAll('*')) disarm(element)
  const styles = `<style nonce="${nonce()}">${sheets.join('\n').replaceAll('</', '<\\/')}</style>`
  return `<!doctype html><html><head><meta charset="utf-8">${styles}</head>${page.body.outerHTML}</html>`
}

const UNWANTED =
  'script, noscript, link, meta, title, base, iframe, frame, frameset, object, embed, template, audio, video, source, svg, math'
const UNWANTED_ATTRIBUTE = /^(?:on.*|action|formaction|ping|background|srcset|nonce)$/i

const LOOK = `html { font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
body { margin: 16px }
img { max-width: 100% }
[data-link] { color: ${tokenOf('--accent-text', false)}; text-decoration: underline }`
const DARK = `:root { color-scheme: dark }
body { background: ${tokenOf('--surface-raised', true)}; color: ${tokenOf('--text', true)} }
[data-link] { color: ${tokenOf('--accent-text', true)} }`

/** Styles are renamed before parsing: the parser applies our content policy even to a detached document. */
const SHEET = 'data-sheet'
const STYLE = 'data-style'
const HANDLER = 'data-handler'

function withoutStyles(html: string): string {
  return html
    .replaceAll(/<style\b[^>]*>/gi, `<textarea ${SHEET}>`)
    .replaceAll(/<\/style\s*>/gi, '</textarea>')
    .replaceAll(/<[a-z][^<>]*>/gi, tag =>
      tag.replaceAll(/(?<=[\s"'/])(?:(style)|on[a-z]+)(?=\s*=)/gi, (_, style) => (style ? STYLE : HANDLER)),
    )
}

function sheetsOf(page: Document): string[] {
  return [...page.querySelectorAll(`[${SHEET}]`)].map(element => {
    element.remove()
    return (element.textContent ?? '').replaceAll(/@import[^;]*;?/gi, '')
  })
}

/** An inline style becomes a rule that overrides all style sheets. */
function stylesOf(page: Document): string {
  const rules = [...page.querySelectorAll(`[${STYLE}]`)].map((element, index) => {
    const declared = element.getAttribute(STYLE) ?? ''
    element.setAttribute(STYLE, String(index))
    return `[${STYLE}="${index}"]:not(#a):not(#a) { ${declared.replaceAll(/[{}]/g, '')} }`
  })
  return rules.join('\n')
}

function disarm(element: Element): void {
  for (const name of element.getAttributeNames())
    if (UNWANTED_ATTRIBUTE.test(name)) element.removeAttribute(name)
  const address = element.getAttribute('href')
  if (address !== null) {
    element.removeAttribute('href')
    element.setAttribute('data-link', '')
    element.setAttribute('title', address)
  }
  const source = element.getAttribute('src')
  if (source !== null && !/^(?:https:|data:image\/)/i.test(source)) element.removeAttribute('src')
}

function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
}
