// A hosted form works without this. Where it runs, steps come one by one, faults are told without leaving the page, and
// a page within another one tells how high it is.
const form = document.querySelector('form')
const embedded = document.documentElement.classList.contains('embedded')
const FIRST_TOUCH = 'rapport.first-touch'

if (embedded && parent !== window) tellHeight()
if (form) {
  // Faults are told all at once and in our words.
  form.noValidate = true
  const steps = showStepByStep(form)
  if (form.dataset.api) {
    carryFirstTouch(form)
    sendInPlace(form, steps)
  }
}

function tellHeight() {
  const tell = () =>
    parent.postMessage({ rapport: 'height', height: Math.ceil(document.body.offsetHeight) }, '*')
  new ResizeObserver(tell).observe(document.body)
  tell()
}

/** Where the visitor came from the first time is remembered here, in the visitor's own browser. */
function carryFirstTouch(form) {
  if (form.elements._first_touch) return
  try {
    const utm = {}
    for (const [name, value] of new URLSearchParams(location.search))
      if (name.startsWith('utm_')) utm[name.slice(4)] = value
    const now = { utm, referrer: document.referrer, page_url: location.href, at: new Date().toISOString() }
    const known = localStorage.getItem(FIRST_TOUCH)
    if (!known) localStorage.setItem(FIRST_TOUCH, JSON.stringify(now))
    form.append(make('input', { type: 'hidden', name: '_first_touch', value: known ?? JSON.stringify(now) }))
  } catch {
    // A browser that remembers nothing.
  }
}

function showStepByStep(form) {
  const steps = [...form.querySelectorAll('.step')]
  if (steps.length < 2) return { isLast: () => true, next() {}, showWith() {} }
  const row = form.querySelector('.send')
  const submit = row.querySelector('button')
  const back = make('button', { type: 'button', className: 'plain', textContent: 'Back' })
  const next = make('button', { type: 'button', textContent: 'Next' })
  const where = make('span', { className: 'help' })
  row.prepend(back, next)
  row.append(where)
  back.addEventListener('click', () => show(at - 1))
  next.addEventListener('click', goOn)
  let at = 0
  show(0, false)
  return {
    isLast: () => at === steps.length - 1,
    next: goOn,
    /** The step that contains this field. */
    showWith: field => show(Math.max(0, steps.indexOf(field.closest('.step'))), false),
  }

  function goOn() {
    const fields = [...steps[at].querySelectorAll('input, select, textarea')]
    const wrong = fields.find(field => !field.checkValidity())
    if (wrong) wrong.reportValidity()
    else show(at + 1)
  }

  function show(wanted, focus = true) {
    at = wanted
    steps.forEach((step, n) => (step.hidden = n !== at))
    back.hidden = at === 0
    next.hidden = at === steps.length - 1
    submit.hidden = !next.hidden
    where.textContent = `Step ${at + 1} of ${steps.length}`
    if (focus) steps[at].querySelector('h2').focus()
  }
}

function sendInPlace(form, steps) {
  const button = form.querySelector('.send button[type="submit"]')
  let sending = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (!steps.isLast()) return steps.next()
    if (sending) return
    sending = true
    button.setAttribute('aria-disabled', 'true')
    try {
      await sendAnswers(form, steps)
    } catch {
      showFaults(form, steps, [{ path: '', message: 'Something went wrong. Please try again in a moment.' }])
    } finally {
      sending = false
      button.removeAttribute('aria-disabled')
    }
  })
}

async function sendAnswers(form, steps) {
  // Hashing is there only where the connection is safe.
  const able = globalThis.crypto?.subtle ? { _proof: 'able' } : {}
  let reply = await post(form, able)
  const challenge = reply.status === 403 && reply.headers.get('proof-challenge')
  if (challenge)
    reply = await post(form, { _proof: await proofFor(challenge, Number(reply.headers.get('proof-bits'))) })
  const answer = await reply.json()
  if (reply.ok) return thank(answer)
  if (!answer.errors) throw new Error(answer.detail)
  showFaults(form, steps, answer.errors)
}

function post(form, more) {
  const answers = {}
  for (const [name, value] of new FormData(form)) {
    const before = Object.hasOwn(answers, name) ? [answers[name]].flat() : undefined
    answers[name] = before ? [...before, value] : value
  }
  return fetch(form.dataset.api, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...answers, ...more }),
  })
}

const BATCH = 256

/** A hash that begins with so many zeros takes a moment to find. */
async function proofFor(challenge, bits) {
  const encoder = new TextEncoder()
  for (let from = 0; ; from += BATCH) {
    const tries = Array.from({ length: BATCH }, (_, n) => `${challenge}.${from + n}`)
    const hashes = await Promise.all(tries.map(text => crypto.subtle.digest('SHA-256', encoder.encode(text))))
    const found = hashes.findIndex(hash => zeroBits(new Uint8Array(hash)) >= bits)
    if (found >= 0) return tries[found]
  }
}

function zeroBits(hash) {
  const at = hash.findIndex(byte => byte !== 0)
  return at < 0 ? hash.length * 8 : at * 8 + Math.clz32(hash[at]) - 24
}

function thank({ message, redirect_url }) {
  if (redirect_url) return void leaveTo(redirect_url)
  const heading = document.querySelector('h1')
  const words = make('p', { className: 'lead lines', textContent: message })
  words.setAttribute('role', 'status')
  heading.tabIndex = -1
  document.querySelector('main').replaceChildren(heading, words)
  heading.focus()
}

/** Out of the frame, if there is one. */
function leaveTo(address) {
  try {
    top.location.href = address
  } catch {
    location.href = address
  }
}

/** The same that the page shows when it comes back from the server. */
function showFaults(form, steps, faults) {
  document.querySelector('#faults')?.remove()
  for (const old of form.querySelectorAll('.wrong')) old.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid')
    describe(field)
  }
  const list = make('ul')
  for (const { path, message } of faults) list.append(faultIn(form, steps, path, message))
  const summary = make('div', { className: 'faults', id: 'faults', tabIndex: -1 })
  summary.setAttribute('role', 'alert')
  summary.append(make('p', { textContent: 'Please fix these fields:' }), list)
  form.before(summary)
  const first = faults.map(({ path }) => document.getElementById(`f-${path}`)).find(Boolean)
  if (first) steps.showWith(first)
  summary.focus()
}

function faultIn(form, steps, path, message) {
  const item = make('li')
  const field = path && document.getElementById(`f-${path}`)
  if (!field) {
    item.textContent = message
    return item
  }
  const box = field.closest('.field')
  const label = box.querySelector('legend') ?? box.querySelector('label')
  const words = make('p', { className: 'wrong', id: `e-${path}`, textContent: message })
  ;(box.querySelector('.help') ?? label).after(words)
  field.setAttribute('aria-invalid', 'true')
  describe(field)
  const link = make('a', { href: `#f-${path}`, textContent: nameOf(label) })
  link.addEventListener('click', event => {
    event.preventDefault()
    steps.showWith(field)
    field.focus()
  })
  item.append(link, `: ${message}`)
  return item
}

function describe(field) {
  const key = field.id.slice(2)
  const ids = [`h-${key}`, `e-${key}`].filter(id => document.getElementById(id))
  if (ids.length > 0) field.setAttribute('aria-describedby', ids.join(' '))
  else field.removeAttribute('aria-describedby')
}

function nameOf(label) {
  const copy = label.cloneNode(true)
  copy.querySelector('.optional')?.remove()
  return copy.textContent.trim()
}

function make(tag, properties = {}) {
  return Object.assign(document.createElement(tag), properties)
}
