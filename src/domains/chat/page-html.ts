import { guestDocument } from '#platform/guest-page.ts'
import { html, type Html } from '#platform/html.ts'
import type { Fault } from '#platform/problem.ts'
import { assets } from './assets.ts'
import type { ShownWidget } from './contract.ts'
import { CHAT_TEXT_LENGTH_MAX, type ChatLanguage, type QuestionType } from './values.ts'
import { wordsOf, type Words } from './words.ts'

/** Of the form, and no answers: no question is called so. */
export const MESSAGE = '_message'
export const HONEYPOT = '_website'
const ANSWER_LENGTH_MAX = 500

type Field = { key: string; type: QuestionType; label: string; required: boolean }
type Filled = { given: Readonly<Record<string, string>>; faults: readonly Fault[] }

/** The form is there for browsers without scripts, and comes up where the script does not. */
export function chatPage(widget: ShownWidget, { given, faults }: Filled): string {
  const words = widget.words as Words
  const messages = new Map(faults.map(({ path, message }) => [path, message]))
  const general = messages.get('')
  const fields = pageFields(widget).map(field =>
    fieldHtml(field, words, given[field.key], messages.get(field.key)),
  )
  return sheet(
    widget,
    html`${mark(widget)}
      <h1>${widget.team}</h1>
      <p class="lead">${widget.is_open ? (widget.greeting ?? words.hello) : words.away}</p>
      ${general && html`<p class="faults" role="alert">${general}</p>`}
      <form method="post" action="/chat/${widget.id}" novalidate>
        <div class="aside" aria-hidden="true">
          <label
            >Leave this empty <input type="text" name="${HONEYPOT}" tabindex="-1" autocomplete="off"
          /></label>
        </div>
        ${fields}
        <p class="send"><button type="submit">${words.send_message}</button></p>
      </form>
      ${imprint(widget, words)}
      ${
        faults.length === 0 &&
        html`<script
          src="${assets.scriptPath}"
          data-widget="${widget.id}"
          data-page
          data-language="${widget.language}"
          async
        ></script>`
      }`,
  )
}

export function thanksPage(widget: ShownWidget): string {
  const { thanks_title, thanks } = widget.words as Words
  return sheet(
    widget,
    html`<h1>${thanks_title}</h1>
      <p class="lead" role="status">${thanks}</p>`,
  )
}

/** For an address that leads to no chat, or to one that is turned off. */
export function absentPage(language: ChatLanguage): string {
  const { absent_title, absent } = wordsOf(language)
  return guestSheet(
    absent_title,
    html`<h1>${absent_title}</h1>
      <p class="lead">${absent}</p>`,
    language,
  )
}

/** What the widget asks, and in any case an address for the answer. */
export function pageFields({ questions, words }: ShownWidget): Field[] {
  const { name, email, message } = words as Words
  const email_key = questions.find(({ type }) => type === 'email')?.key
  const asked = questions.map(each => ({ ...each, required: each.required || each.key === email_key }))
  return [
    ...(questions.length === 0 ? [{ key: 'name', type: 'text', label: name, required: false } as const] : []),
    ...asked,
    ...(email_key === undefined
      ? [{ key: 'email', type: 'email', label: email, required: true } as const]
      : []),
    { key: MESSAGE, type: 'text', label: message, required: true },
  ]
}

function fieldHtml(
  { key, type, label, required }: Field,
  words: Words,
  value = '',
  fault: string | undefined,
): Html {
  const about = html` id="f-${key}"
  name="${key}"${required && html` required`}${
    fault && html` aria-invalid="true" aria-describedby="e-${key}"`
  }`
  return html`<div class="field">
    <label for="f-${key}"
      >${label}${!required && html` <span class="optional">${words.optional}</span>`}</label
    >
    ${fault && html`<p class="wrong" id="e-${key}">${fault}</p>`}
    ${
      key === MESSAGE
        ? html`<textarea rows="5" maxlength="${CHAT_TEXT_LENGTH_MAX}" ${about}>${value}</textarea>`
        : html`<input
            type="${kinds[type]}"
            maxlength="${ANSWER_LENGTH_MAX}"
            value="${value}"
            ${about}${completion(key, type)}
          />`
    }
  </div>`
}

const kinds: Record<QuestionType, string> = { text: 'text', email: 'email', phone: 'tel' }

function completion(key: string, type: QuestionType): Html | false {
  if (type === 'email') return html` autocomplete="email"`
  if (type === 'phone') return html` autocomplete="tel"`
  return key === 'name' && html` autocomplete="name"`
}

function imprint({ privacy_url }: ShownWidget, words: Words): Html {
  return html`<p class="imprint">
    ${words.email_use}${privacy_url && html` <a href="${privacy_url}" rel="noopener">${words.privacy}</a>`}
  </p>`
}

/** The logo, or the first letter on the colour. */
function mark({ team, logo_url, colour }: ShownWidget): Html {
  if (logo_url) return html`<img class="mark" src="${logo_url}" alt="" />`
  const [letter = ''] = team.trim()
  return html`<svg class="mark" viewBox="0 0 44 44" aria-hidden="true">
    <rect width="44" height="44" fill="${colour.fill}" />
    <text x="22" y="30" text-anchor="middle" font-size="22" font-weight="600" fill="${colour.on_fill}">
      ${letter.toUpperCase()}
    </text>
  </svg>`
}

function sheet({ team, language }: ShownWidget, body: Html): string {
  return guestSheet(team, body, language)
}

function guestSheet(title: string, body: Html, language: ChatLanguage): string {
  return guestDocument(assets, title, body, { scripted: false, language })
}
