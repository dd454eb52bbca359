// The visitor's session: begun with the first message, known by its token, and shared by the tabs of a browser.
const TRIES_MAX = 4
const FIRST_PAUSE_MS = 1_000
const LINE_LENGTH_MAX = 2_000

/** Why a call did not work: `status` 0 when the server was not reached. */
export class Refused extends Error {
  constructor(status, problem = {}) {
    super(problem.detail ?? problem.title ?? String(status))
    this.status = status
    this.problem = problem
  }

  /** Whether the same call may work a little later. */
  get passes() {
    return this.status === 0 || this.status === 408 || this.status >= 500
  }
}

export function sessionOf({ id, home, local, tab, language }) {
  let beginning
  const token = () => local.read().token

  /** With the answers that were given before the chat. One at a time, whatever asks for it. */
  function ensure() {
    if (token()) return Promise.resolve()
    beginning ??= begin().finally(() => (beginning = undefined))
    return beginning
  }

  async function begin() {
    const { landing = {}, answers } = tab.read()
    const body = {
      page: location.href.slice(0, LINE_LENGTH_MAX),
      ...(landing.referrer && { referrer: landing.referrer.slice(0, LINE_LENGTH_MAX) }),
      utm: landing.utm ?? {},
      language: language.slice(0, 35),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(answers && { answers }),
    }
    const given = await send('POST', `/api/chat/${id}/sessions`, body).catch(error => {
      // For who has put it on a site that is not among those of the widget.
      // oxlint-disable-next-line no-console -- nobody else can be told on a page of others
      if (error.status === 403) console.warn(`Rapport chat: ${error.message}`)
      throw error
    })
    local.write({ token: given.token, read: undefined })
  }

  /** A call of the session. One that has ended is forgotten, so that the next message begins another. */
  async function call(method, path, body) {
    const used = token()
    try {
      return await send(method, path, body, used)
    } catch (error) {
      if (error.status === 401) forget(used)
      throw error
    }
  }

  function forget(used) {
    if (token() === used) local.write({ token: undefined })
  }

  async function send(method, path, body, used) {
    const answer = await reach(path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(used && { authorization: `Bearer ${used}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.status === 204 ? undefined : answer.json()
  }

  async function reach(path, options = {}) {
    const answer = await fetch(home + path, { credentials: 'omit', cache: 'no-store', ...options }).catch(
      error => {
        if (error.name === 'AbortError') throw error
        throw new Refused(0)
      },
    )
    if (answer.ok) return answer
    throw new Refused(answer.status, await answer.json().catch(() => ({})))
  }

  /** A response whose body is read as it comes. */
  function open(path, signal) {
    return reach(path, { signal, headers: { authorization: `Bearer ${token()}` } }).catch(error => {
      if (error.status === 401) forget(token())
      throw error
    })
  }

  return { token, ensure, call, open, home }
}

/** Tries again what may work later, ever more rarely. */
export async function patiently(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!error.passes || tries === TRIES_MAX) throw error
      await pause(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

/** Over sooner when the browser is online again. */
export function pause(ms) {
  return new Promise(resolve => {
    const over = () => {
      clearTimeout(timer)
      removeEventListener('online', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    addEventListener('online', over)
  })
}
