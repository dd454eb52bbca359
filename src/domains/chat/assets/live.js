import { pause } from './session.js'

// What happens in the chat, as it happens: by a stream, and where something on the way holds the stream back, by asking.
const SILENCE_MAX_MS = 25_000
/** A stream says something at once; until it has, the page asks. */
const PROOF_MS = 3_000
const ASK_EVERY_MS = 3_000
const ASK_RARELY_MS = 30_000
/** A tab in the background for longer follows rarely. */
const BACKGROUND_MS = 60_000
const PAUSE_MAX_MS = 30_000
/** So many streams in a row of which nothing came through: from then on the page only asks. */
const MUTE_MAX = 2

/** `catchUp` reads what is new; `heard` is called with each event; `place` says after which one to continue. */
export function follow(session, { place, heard, catchUp, connected, ended }) {
  let following
  let mute = 0

  function start() {
    if (following || !session.token()) return
    following = new AbortController()
    void run(following.signal)
  }

  function stop() {
    following?.abort()
    following = undefined
  }

  async function run(signal) {
    let failures = 0
    while (!signal.aborted) {
      if (mute >= MUTE_MAX) {
        await ask(signal, ASK_EVERY_MS)
        continue
      }
      try {
        const told = await listen(signal)
        mute = told ? 0 : mute + 1
        failures = told ? 0 : failures + 1
      } catch (error) {
        if (signal.aborted) return
        if (error.status === 401) return finish()
        failures++
        connected(false)
      }
      if (signal.aborted) return
      if (failures > 0) await pause(Math.min(1_000 * 2 ** failures, PAUSE_MAX_MS) * (0.5 + Math.random() / 2))
    }
  }

  /** Until the stream ends or falls silent. Whether anything came. */
  async function listen(signal) {
    const over = new AbortController()
    const leave = () => over.abort()
    let isSilent = false
    const silence = () => {
      isSilent = true
      leave()
    }
    signal.addEventListener('abort', leave)
    let timer = setTimeout(silence, SILENCE_MAX_MS)
    let told = false
    const proof = setTimeout(() => told || void askUntil(over.signal, () => told), PROOF_MS)
    try {
      const after = place()
      const path = `/api/chat/live${after ? `?after=${encodeURIComponent(after)}` : ''}`
      const { body } = await session.open(path, over.signal)
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return told
        if (!told) connected(true)
        told = true
        clearTimeout(timer)
        timer = setTimeout(silence, SILENCE_MAX_MS)
        const blocks = (text + value.replaceAll('\r\n', '\n')).split('\n\n')
        text = blocks.pop()
        for (const block of blocks) take(block)
      }
    } catch (error) {
      if (isSilent) return told
      throw error
    } finally {
      clearTimeout(timer)
      clearTimeout(proof)
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  function take(block) {
    const message = {}
    for (const line of block.split('\n')) {
      const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (field) message[field] = value
    }
    if (!message.event || message.data === undefined) return
    heard(message.event, JSON.parse(message.data), message.id)
  }

  async function askUntil(signal, over) {
    while (!signal.aborted && !over()) await ask(signal, ASK_EVERY_MS)
  }

  async function ask(signal, everyMs) {
    try {
      await catchUp()
      connected(true)
    } catch (error) {
      if (error.status === 401) return finish()
      connected(false)
    }
    if (!signal.aborted) await pause(everyMs)
  }

  function finish() {
    stop()
    ended()
  }

  // In the background nobody reads: the stream is left to others, and the page looks now and then.
  let background
  document.addEventListener('visibilitychange', () => {
    clearTimeout(background)
    if (document.visibilityState === 'visible') {
      stop()
      start()
    } else background = setTimeout(rest, BACKGROUND_MS)
  })

  function rest() {
    stop()
    if (!session.token()) return
    const resting = (following = new AbortController())
    const look = async () => {
      while (!resting.signal.aborted) await ask(resting.signal, ASK_RARELY_MS)
    }
    void look()
  }

  addEventListener('offline', () => connected(false))
  addEventListener('online', () => {
    stop()
    start()
  })

  return { start, stop }
}
