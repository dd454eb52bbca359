// Questions before the chat, the message for a team that is away, and the address for answers after leaving.
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
const ANSWER_LENGTH_MAX = 500
const completions = {
  email: 'email',
  phone: 'tel',
  name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
}

/** A form of such fields, with a message under each that is not right. `send` gets the answers by key. */
export function askFor({ make, icon, say }, { fields, submit, send, intro, values = {}, changed }) {
  const shown = fields.map(field => fieldOf(field))
  const wrong = make('p', { className: 'wrong', hidden: true })
  wrong.setAttribute('role', 'alert')
  const button = make('button', { type: 'submit', className: 'primary', textContent: submit })
  const form = make(
    'form',
    { className: 'ask', noValidate: true },
    intro,
    ...shown.map(({ row }) => row),
    wrong,
    button,
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    void submitted()
  })
  form.addEventListener('input', () => changed?.(answers()))

  async function submitted() {
    const faulty = shown.filter(each => !each.check())
    if (faulty.length > 0) return faulty[0].input.focus()
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    tell(wrong, undefined)
    try {
      await send(answers())
    } catch (error) {
      const known = (error.problem?.errors ?? []).map(({ path, message }) => {
        const field = shown.find(({ key }) => path === key || path === `answers.${key}`)
        field?.complain(message)
        return field
      })
      const first = known.find(Boolean)
      if (first) first.input.focus()
      else tell(wrong, error.status === 429 ? say('too_many') : say('failed'))
    } finally {
      button.removeAttribute('aria-disabled')
    }
  }

  function answers() {
    const given = shown.map(({ key, input }) => [key, input.value.trim()])
    return Object.fromEntries(given.filter(([, value]) => value !== ''))
  }

  function fieldOf({ key, type, label, required, long }) {
    const id = `f-${key}`
    const kinds = { email: 'email', phone: 'tel' }
    const input = make(long ? 'textarea' : 'input', { id, name: key, value: values[key] ?? '' })
    if (long) input.rows = 4
    else Object.assign(input, { type: kinds[type] ?? 'text', maxLength: ANSWER_LENGTH_MAX })
    input.autocomplete = completions[type] ?? completions[key] ?? 'off'
    if (required) input.setAttribute('aria-required', 'true')
    const fault = make('p', { className: 'wrong', id: `e-${key}`, hidden: true })
    const caption = make('label', { htmlFor: id }, label)
    if (!required) caption.append(' ', make('span', { className: 'optional', textContent: say('optional') }))
    const row = make('div', { className: 'field' }, caption, input, fault)

    function complain(message) {
      tell(fault, message)
      if (message) {
        input.setAttribute('aria-invalid', 'true')
        input.setAttribute('aria-describedby', fault.id)
      } else for (const name of ['aria-invalid', 'aria-describedby']) input.removeAttribute(name)
    }

    function check() {
      const message = faultOf(input.value.trim(), { type, required })
      complain(message && say(message))
      return !message
    }
    // What is put right is no longer called wrong.
    input.addEventListener('input', () => fault.hidden || check())
    return { key, row, input, check, complain }
  }

  function tell(place, message) {
    place.hidden = !message
    place.replaceChildren(...(message ? [icon('warning'), message] : []))
  }

  return form
}

function faultOf(value, { type, required }) {
  if (value === '') return required ? 'required' : undefined
  if (type === 'email' && !EMAIL.test(value)) return 'email_wrong'
  if (type === 'phone' && (!/^[+\d][\d\s().\-/]*$/.test(value) || value.replace(/\D/g, '').length < 5))
    return 'phone_wrong'
  return undefined
}

/** The key under which an address for answers is kept: a question of the widget, if one asks for it. */
export function emailKeyOf({ questions }) {
  return questions.find(({ type }) => type === 'email')?.key ?? 'email'
}

/** What a visitor is asked who finds nobody there. */
export function awayFields(say, { questions }) {
  const email = emailKeyOf({ questions })
  const asked = questions.map(question =>
    question.key === email ? { ...question, required: true } : question,
  )
  return [
    ...(questions.length === 0 ? [{ key: 'name', type: 'text', label: say('name'), required: false }] : []),
    ...asked,
    ...(asked.some(({ key }) => key === email)
      ? []
      : [{ key: email, type: 'email', label: say('email'), required: true }]),
    { key: MESSAGE, type: 'text', label: say('message'), required: true, long: true },
  ]
}

/** Of the form, and no answer: no question is called so. */
export const MESSAGE = '_message'
