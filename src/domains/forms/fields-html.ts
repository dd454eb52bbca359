import { html, type Html } from '#platform/html.ts'
import type { FormContent, FormField } from './contract.ts'
import { own } from './model.ts'

/** As it is typed or sent: text, or a list of texts for choices. */
export type Given = Readonly<Record<string, string | readonly string[]>>
export type Faults = ReadonlyMap<string, string>

/** Up to this many options are listed; more are in a dropdown. */
const OPTIONS_SHOWN_MAX = 6

/** A field on the page: its label, help and error are linked to it for screen readers. */
export function fieldHtml(field: FormField, content: FormContent, given: Given, faults: Faults): Html {
  const { key, type } = field
  const value = own(given, key)
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="${textOf(value)}" />`
  const fault = faults.get(key)
  const shown = { field, content, value, fault }
  if (type === 'choices' || (type === 'choice' && field.options!.length <= OPTIONS_SHOWN_MAX))
    return group(shown)
  if (type === 'checkbox') return tick(shown)
  return html`<div class="field">
    <label for="f-${key}">${labelOf(field)}</label>
    ${aside(shown)} ${control(shown)}
  </div>`
}

type Shown = {
  field: FormField
  content: FormContent
  value: string | readonly string[] | undefined
  fault: string | undefined
}

function control(shown: Shown): Html {
  const { field, value } = shown
  switch (field.type) {
    case 'long_text':
      return html`<textarea rows="5" ${common(shown)}>${textOf(value)}</textarea>`
    case 'choice':
      return html`<select${common(shown)}>
        <option value="">Please choose</option>
        ${field.options!.map(option => choiceOption(option, value))}
      </select>`
    default:
      return html`<input${kinds[field.type] ?? kinds.text!}${common(shown)} value="${textOf(value)}" />`
  }
}

const kinds: Partial<Record<FormField['type'], Html>> = {
  text: html` type="text"`,
  email: html` type="email"`,
  phone: html` type="tel"`,
  number: html` type="text" inputmode="decimal"`,
  date: html` type="date"`,
}

function choiceOption(option: string, value: Shown['value']): Html {
  return option === value
    ? html`<option value="${option}" selected>${option}</option>`
    : html`<option value="${option}">${option}</option>`
}

/** Several to choose from: read out together with what they are about. */
function group(shown: Shown): Html {
  const { field, value } = shown
  const { key, type, options = [] } = field
  const chosen = [value ?? []].flat()
  const kind = type === 'choice' ? 'radio' : 'checkbox'
  return html`<fieldset class="field" id="f-${key}" tabindex="-1" ${describedBy(shown)}>
    <legend>${labelOf(field)}</legend>
    ${aside(shown)}
    ${options.map(
      option =>
        html`<label class="tick">
          <input
            type="${kind}"
            name="${key}"
            value="${option}"
            ${chosen.includes(option) && CHECKED}${kind === 'radio' && field.required && REQUIRED}
          />
          <span>${option}</span>
        </label>`,
    )}
  </fieldset>`
}

function tick(shown: Shown): Html {
  const { field, value } = shown
  return html`<div class="field">
    <label class="tick">
      <input type="checkbox" value="yes" ${common(shown)}${isTicked(value) && CHECKED} />
      <span>${labelOf(field)}</span>
    </label>
    ${aside(shown)}
  </div>`
}

/** What every control says of itself. */
function common(shown: Shown): Html {
  const { field, content } = shown
  const { key, placeholder, required } = field
  const complete = autocompleteOf(field, content)
  return html` id="f-${key}"
  name="${key}"${describedBy(shown)}${required && REQUIRED}${
    placeholder && html` placeholder="${placeholder}"`
  }${complete && html` autocomplete="${complete}"`}`
}

function describedBy({ field: { key, help }, fault }: Shown): Html {
  const ids = [help && `h-${key}`, fault && `e-${key}`].filter(Boolean).join(' ')
  return html`${ids && html` aria-describedby="${ids}"`}${fault && INVALID}`
}

function aside({ field: { key, help }, fault }: Shown): Html {
  return html`${help && html`<p class="help" id="h-${key}">${help}</p>`}${
    fault && html`<p class="wrong" id="e-${key}">${fault}</p>`
  }`
}

function labelOf({ label, required }: FormField): Html {
  return required ? html`${label}` : html`${label} <span class="optional">optional</span>`
}

const completions: Record<string, string> = {
  first_name: 'given-name',
  last_name: 'family-name',
  email: 'email',
  phone: 'tel',
  company: 'organization',
  title: 'organization-title',
  website: 'url',
}

/** What the browser knows of its person, it fills in. */
function autocompleteOf({ key, type }: FormField, { field_mapping }: FormContent): string | undefined {
  const typed = type === 'email' || type === 'phone' ? type : ''
  return own(completions, own(field_mapping, key) ?? typed)
}

function isTicked(value: Shown['value']): boolean {
  return typeof value === 'string' && ['yes', 'true', 'on', '1'].includes(value.toLowerCase())
}

function textOf(value: Shown['value']): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

const CHECKED = html` checked`
const REQUIRED = html` required`
const INVALID = html` aria-invalid="true"`
