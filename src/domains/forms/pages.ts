import { guestDocument } from '#platform/guest-page.ts'
import { html, type Html } from '#platform/html.ts'
import type { Fault } from '#platform/problem.ts'
import { assets } from './assets.ts'
import type { FormContent } from './contract.ts'
import { fieldHtml, type Given } from './fields-html.ts'
import { isVisible, stepsOf } from './model.ts'
import { HONEYPOT } from './spam.ts'

export type Page = {
  /** Where it is sent to; absent in a preview, which goes nowhere. */
  to?: { id: string; slug: string; token: string }
  content: FormContent
  given: Given
  faults: readonly Fault[]
  /** Where the visitor came from, carried along by a page without a script. */
  carried: Readonly<Record<string, string>>
  /** Within another site's page: nothing around the form itself. */
  embedded: boolean
}

/** Works without a script; with one, steps come one by one and faults are told without leaving. */
export function formPage({ to, content, given, faults, carried, embedded }: Page): string {
  const { title, description, submit_label, steps } = content
  const byKey = new Map(faults.map(({ path, message }) => [path, message]))
  const parts = stepsOf(content).map((fields, at) =>
    step(
      steps[at],
      fields.map(field => fieldHtml(field, content, given, byKey)),
    ),
  )
  return sheet(
    title,
    html`<h1>${title}</h1>
      ${description && html`<p class="lead"><span class="lines">${description}</span></p>`}
      ${summary(content, faults)}
      <form method="post" ${target(to, embedded)}>
        ${to && html`<input type="hidden" name="_token" value="${to.token}" />`}
        ${Object.entries(carried).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${trap} ${parts}
        <p class="send"><button type="${to ? 'submit' : 'button'}">${submit_label}</button></p>
      </form>`,
    { embedded },
  )
}

export function thanksPage({ title, thank_you }: FormContent, embedded: boolean): string {
  const words = html`<h1>${title}</h1>
    <p class="lead" role="status"><span class="lines">${thank_you}</span></p>`
  return sheet(title, words, { embedded })
}

/** For an address that leads to no form, or to one that nobody is to see. */
export function absentPage(): string {
  return sheet(
    'Form not found',
    html`<h1>Form not found</h1>
      <p class="lead">It was taken down or its link has changed. Please ask the sender for a new link.</p>`,
    { embedded: false },
  )
}

function sheet(title: string, body: Html, { embedded }: { embedded: boolean }): string {
  return guestDocument(assets, title, body, { embedded })
}

function step(title: string | undefined, fields: Html[]): Html {
  if (!title) return html`${fields}`
  return html`<section class="step">
    <h2 tabindex="-1">${title}</h2>
    ${fields}
  </section>`
}

function target(to: Page['to'], embedded: boolean): Html {
  if (!to) return html` data-preview="yes"`
  return html` action="/f/${to.slug}${embedded && '?embed=1'}" data-api="/api/forms/${to.id}/submissions"`
}

/** Every fault at the top, each leading to its field; the browser goes there at once. */
function summary({ fields }: FormContent, faults: readonly Fault[]): Html | null {
  if (faults.length === 0) return null
  const labels = new Map(fields.filter(isVisible).map(({ key, label }) => [key, label]))
  return html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus>
    <p>Please fix these fields:</p>
    <ul>
      ${faults.map(({ path, message }) =>
        labels.has(path)
          ? html`<li><a href="#f-${path}">${labels.get(path)}</a>: ${message}</li>`
          : html`<li>${message}</li>`,
      )}
    </ul>
  </div>`
}

/** Nobody sees it, and only a program fills it in. */
const trap = html`<div class="aside" aria-hidden="true">
  <label>Leave this empty <input type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off" /></label>
</div>`
