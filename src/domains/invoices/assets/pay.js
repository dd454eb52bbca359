// The page works without this. With it, the page updates when a payment arrives, and accepts a proof of
// payment: the hash of a transaction, and a text signed by the paying wallet.
const POLL_MS = 2_000
const TRIES_MAX = 120
const HASH = /^0x[0-9a-f]{64}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i
const SIGNATURE = /^0x(?:[0-9a-f]{2})+$/i

const main = document.querySelector('main')
const { api } = main.dataset
/** The last state we read; what there is to sign stays the same while the page is open. */
let seen
let chain
let timer

show()
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') look()
})
look()

/** Polls the state of the invoice while someone looks at the page. */
async function look() {
  clearTimeout(timer)
  let waitMs = POLL_MS
  try {
    const reply = await fetch(api, { headers: { accept: 'application/json' } })
    if (reply.status === 429) waitMs = retryMs(reply)
    else if (reply.ok) await take(await reply.json())
  } catch {
    // The line is down: it is tried again.
  }
  clearTimeout(timer)
  if (document.visibilityState === 'visible' && !isOver()) timer = setTimeout(look, waitMs)
}

async function take(state) {
  const now = [state.status, state.paid, state.due].join()
  if (!chain && state.chain) {
    chain = state.chain
    writeText()
  }
  if (seen !== undefined && seen !== now) await turn(state)
  seen = now
}

function isOver() {
  return /^(PAID|VOID),/.test(seen ?? '')
}

/** The server renders the page again, and its parts replace the old ones; what someone is typing stays. */
async function turn(state) {
  const reply = await fetch(location.pathname, { cache: 'no-store' })
  if (!reply.ok) return
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const kept = Object.fromEntries(
    [...document.querySelectorAll('#prove input')].map(({ id, value }) => [id, value]),
  )
  for (const id of ['state', 'pay', 'details']) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)]
    old.className = now.className
    old.hidden = now.hidden
    old.replaceChildren(...now.childNodes)
  }
  chain = state.chain
  for (const [id, value] of Object.entries(kept)) {
    const input = document.getElementById(id)
    if (input) input.value = value
  }
  show()
}

/** What only a script can do is shown by the script. */
function show() {
  const form = document.querySelector('#prove')
  if (!form) return
  for (const each of document.querySelectorAll('.needs-script')) each.hidden = true
  form.hidden = false
  // What is wrong is told in our words.
  form.noValidate = true
  const wallet = form.querySelector('#wallet')
  wallet.hidden = !globalThis.ethereum
  form.querySelector('details').open = !globalThis.ethereum
  wallet.addEventListener('click', () => busy(form, signHere))
  const hash = form.querySelector('#hash')
  hash.addEventListener('input', writeText)
  hash.addEventListener('change', () => hash.value.trim() && hashIn())
  form.addEventListener('submit', event => {
    event.preventDefault()
    busy(form, signedElsewhere)
  })
  writeText()
}

/** What there is to sign, once it is known for which transaction. */
function writeText() {
  const part = document.querySelector('#sign')
  if (!part) return
  const hash = valueOf('hash')
  const ready = Boolean(chain) && HASH.test(hash)
  part.hidden = !ready
  if (!ready) return
  document.querySelector('#text').value = textFor(hash)
  tell('')
}

function textFor(hash) {
  return chain.text.replace('<hash>', hash.toLowerCase())
}

async function signHere(form) {
  const hash = hashIn()
  if (!hash) return
  const [payer] = await ethereum.request({ method: 'eth_requestAccounts' })
  const bytes = [...new TextEncoder().encode(textFor(hash))]
  const message = `0x${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
  tell('Sign the text in your wallet.')
  const signature = await ethereum.request({ method: 'personal_sign', params: [message, payer] })
  await send(form, { hash, payer, signature })
}

async function signedElsewhere(form) {
  const hash = hashIn()
  if (!hash) return
  const [payer, signature] = [valueOf('payer'), valueOf('signature')]
  if (!ADDRESS.test(payer)) return fault('A wallet address is 0x followed by 40 hex digits.', 'payer')
  if (!SIGNATURE.test(signature)) return fault('A signature starts with 0x.', 'signature')
  await send(form, { hash, payer, signature })
}

function hashIn() {
  const hash = valueOf('hash')
  if (!HASH.test(hash)) return void fault('A transaction hash is 0x followed by 64 hex digits.', 'hash')
  if (chain) return hash
  fault('The page is not ready yet. Try again in a moment.')
}

/** Sends the proof, and again while the network takes its time. */
async function send(form, { hash, payer, signature }) {
  const credential = base64url(
    JSON.stringify({
      challenge: parametersIn(chain.challenge),
      payload: { type: 'hash', hash, signature },
      source: `did:pkh:${chain.network}:${payer}`,
    }),
  )
  for (let tries = 0; tries < TRIES_MAX && form.isConnected; tries++) {
    const reply = await fetch(api, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ credential }),
    })
    const answer = await reply.json()
    if (reply.ok) {
      tell('Thank you. Your payment was received.')
      return look()
    }
    if (![409, 429, 503].includes(reply.status)) return fault(answer.detail)
    tell(`${answer.detail} This page keeps trying.`)
    await new Promise(resolve => setTimeout(resolve, retryMs(reply)))
  }
}

function retryMs(reply) {
  return Math.max(1, Number(reply.headers.get('retry-after')) || 5) * 1_000
}

/** Payment id="…", realm="…" and so on, by their names. */
function parametersIn(challenge) {
  return Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
}

function base64url(text) {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

let working = false
async function busy(form, work) {
  if (working) return
  working = true
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.setAttribute('aria-disabled', 'true')
  tell('')
  try {
    await work(form)
  } catch (error) {
    // 4001: the person said no in the wallet.
    fault(
      error?.code === 4001
        ? 'The wallet did not sign the text.'
        : 'Something went wrong. Try again in a moment.',
    )
  } finally {
    working = false
    for (const button of buttons) button.removeAttribute('aria-disabled')
  }
}

function valueOf(id) {
  return document.getElementById(id).value.trim()
}

function tell(words) {
  const place = document.querySelector('#told')
  if (!place) return
  place.className = ''
  place.textContent = words
  for (const input of document.querySelectorAll('#prove [aria-invalid]'))
    input.removeAttribute('aria-invalid')
}

function fault(words, field) {
  tell(words)
  document.querySelector('#told')?.classList.add('wrong')
  if (field) document.getElementById(field).setAttribute('aria-invalid', 'true')
}
