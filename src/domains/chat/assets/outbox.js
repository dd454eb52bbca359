import { patiently, Refused } from './session.js'

// What the visitor wrote, until the server has it. Kept with the tab: a reload goes on with the same keys, so that no message is
// sent twice.

export function outboxOf({ tab }, session, { changed, sent }) {
  let items = (tab.read().outbox ?? []).map(item => ({ ...item, state: 'sending' }))
  let working = false

  function add(text, files) {
    const key = crypto.randomUUID ? crypto.randomUUID() : fallbackKey()
    items.push({ key, text, files, at: new Date().toISOString(), state: 'sending' })
    update()
    void work()
  }

  function update() {
    tab.write({ outbox: items })
    changed()
  }

  /** One after the other, so that they arrive in order. What has failed waits for its person. */
  async function work() {
    if (working) return
    working = true
    try {
      for (let item; (item = items.find(({ state }) => state === 'sending'));) await deliver(item)
    } finally {
      working = false
    }
  }

  async function deliver(item) {
    try {
      const entry = await patiently(() => bring(item))
      settle(item.key)
      sent(entry)
    } catch (error) {
      const known = error instanceof Refused ? error : new Refused(0)
      item.state = 'failed'
      item.status = known.status
      item.lost = known.passes
      update()
    }
  }

  async function bring({ key, text, files }) {
    const body = {
      key,
      text,
      page: location.href.slice(0, 2_000),
      ...(files.length > 0 && { file_ids: files.map(file => file.id) }),
    }
    await session.ensure()
    try {
      return await session.call('POST', '/api/chat/messages', body)
    } catch (error) {
      if (error.status !== 401) throw error
      // The session has ended: another one begins with this message.
      await session.ensure()
      return session.call('POST', '/api/chat/messages', body)
    }
  }

  /** The server has it, as its answer or the stream says. */
  function settle(key) {
    if (!items.some(item => item.key === key)) return
    items = items.filter(item => item.key !== key)
    update()
  }

  function retry(key) {
    for (const item of items) if (item.key === key) item.state = 'sending'
    update()
    void work()
  }

  // What failed for want of a connection is tried again with it.
  addEventListener('online', () => {
    for (const item of items) if (item.lost) item.state = 'sending'
    void work()
  })

  return { items: () => items, add, settle, retry, work }
}

/** A page without https has no better one. */
function fallbackKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(36)).join('-')
}
