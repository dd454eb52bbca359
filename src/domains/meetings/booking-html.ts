import { page, type Answer } from '#platform/answer.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import { guestDocument } from '#platform/guest-page.ts'
import { html, type Html } from '#platform/html.ts'
import type { Fault } from '#platform/problem.ts'
import { assets } from './page-assets.ts'
import { HONEYPOT } from './page-guard.ts'

/** The URL is a bearer secret: it must not leak to sites the page links to. */
export function guestPage(title: string, body: Html, status = 200): Answer {
  return page(sheet(title, body), status, {
    'content-security-policy': contentPolicy(),
    'referrer-policy': 'no-referrer',
  })
}

export function absentPage(title: string, words: string): Answer {
  const body = html`<h1>${title}</h1>
    <p class="welcome quiet">${words}</p>`
  return guestPage(title, body, 404)
}

export function tooManyPage(): Answer {
  const title = 'Too many requests'
  const body = html`<h1>${title}</h1>
    <p class="welcome quiet">
      There were too many requests from your network. Please go back and try again in a minute.
    </p>`
  return guestPage(title, body, 429)
}

export type Given = Readonly<Record<'name' | 'email' | 'note' | 'reason', string>>

const words: Record<string, string> = { at: 'Time', name: 'Name', email: 'Email', note: 'Note' }

/** Every fault at the top, each leading to its field; the browser goes there at once. */
export function faultList(faults: readonly Fault[]): Html | null {
  if (faults.length === 0) return null
  const [only] = faults
  if (faults.length === 1 && words[only!.path] === undefined)
    return html`<p class="faults" role="alert" tabindex="-1" autofocus>${only!.message}</p>`
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
    <p>Please fix these fields:</p>
    <ul>
      ${faults.map(({ path, message }) =>
        words[path] === undefined
          ? html`<li>${message}</li>`
          : html`<li><a href="#f-${path}">${words[path]}</a>: ${message}</li>`,
      )}
    </ul>
  </div>`
}

type Field = {
  name: 'name' | 'email' | 'note' | 'reason'
  label: string
  value: string
  kind: 'text' | 'email' | 'area'
  lengthMax: number
  required?: boolean
  autocomplete?: string
  fault?: string | undefined
}

export function fieldHtml({
  name,
  label,
  value,
  kind,
  lengthMax,
  required,
  autocomplete,
  fault,
}: Field): Html {
  const common = html`id="f-${name}" name="${name}" maxlength="${lengthMax}" ${required && html`required`}
  ${fault && html`aria-invalid="true" aria-describedby="w-${name}"`}`
  return html`<div class="field">
    <label for="f-${name}">${label}${!required && html` <span class="optional">(optional)</span>`}</label>
    ${fault && html`<p class="wrong" id="w-${name}">${fault}</p>`}
    ${
      kind === 'area'
        ? html`<textarea rows="3" ${common}>${value}</textarea>`
        : html`<input type="${kind}" value="${value}" ${common} autocomplete="${autocomplete ?? 'off'}" />`
    }
  </div>`
}

/** Nobody sees it, and only a program fills it in. */
export const trap = html`<div class="aside" aria-hidden="true">
  <label>Leave this empty <input type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off" /></label>
</div>`

export function hidden(values: Record<string, string | undefined>): Html[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  )
}

function sheet(title: string, body: Html): string {
  return guestDocument(assets, title, body, { secret: true })
}
