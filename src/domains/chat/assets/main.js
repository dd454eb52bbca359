import { composerOf } from './composer.js'
import { attachmentsOf, download } from './files.js'
import { formatsOf } from './format.js'
import { askFor, awayFields, emailKeyOf, MESSAGE } from './forms.js'
import { follow } from './live.js'
import { firstName, logOf } from './log.js'
import { marksOf } from './logo.js'
import { outboxOf } from './outbox.js'
import { panelOf } from './panel.js'
import { patiently, sessionOf } from './session.js'

const WRITING_SHOWN_MS = 6_000
const SEEN_AFTER_MS = 300
/** A page of what was said that has fewer is the last. */
const PAGE_MAX = 100

/** The chat behind the button: loaded when somebody opens it, or has a session already. */
export function start(shell) {
  const { config, local, tab, make, icon, say, isPage } = shell
  const session = sessionOf(shell)
  const formats = formatsOf(shell)
  const mark = marksOf(shell)
  const entries = new Map()
  let state = stateBefore()
  let cursor
  let writing
  let writingTimer
  let isOnline = navigator.onLine
  let hasEnded = false
  let asksEmail = false
  let view

  const outbox = outboxOf(shell, session, {
    changed: () => render(),
    sent: entry => {
      hasEnded = false
      take([entry])
      live.start()
    },
  })
  const attachments = attachmentsOf(shell, session, {
    complain: message => composer.complain(message),
    changed: () => composer.grow(),
  })
  const composer = composerOf(shell, {
    attachments,
    send: (text, files) => outbox.add(text, files),
    writing: () => session.token() && void session.call('POST', '/api/chat/writing').catch(ignore),
  })
  const log = logOf(shell, { formats, mark, download: fetchFile, retry: key => outbox.retry(key) })
  const panel = panelOf(shell, {
    mark,
    close: () => shell.show(false),
    dropped: files => view === 'chat' && attachments.add(files),
  })
  const person = make('button', { type: 'button', className: 'chip', textContent: say('person') })
  person.addEventListener('click', () => void askForPerson())
  const chips = make('div', { className: 'chips' }, person)
  const talk = make('div', { className: 'talk' }, log.scroller, log.newest)
  const { aside } = log
  const note = make('p', { className: 'note' })

  const live = follow(session, {
    place: () => cursor,
    heard,
    catchUp,
    connected: works => {
      isOnline = works
      render()
    },
    ended: () => {
      hasEnded = entries.size > 0
      render()
    },
  })

  // Another tab has begun the chat, or has shown what is new.
  addEventListener('storage', event => {
    if (event.key !== local.key) return
    if (session.token() && entries.size === 0) void resume()
    count()
  })
  document.addEventListener('visibilitychange', () => seen())
  async function resume() {
    if (!session.token()) return
    try {
      await patiently(catchUp)
    } catch {
      // The stream tries further.
    }
    live.start()
    render()
  }

  /** Everything that is new, page by page. */
  async function catchUp() {
    for (;;) {
      const query = cursor ? `?after=${encodeURIComponent(cursor)}` : ''
      const told = await session.call('GET', `/api/chat/messages${query}`)
      state = told.state
      cursor = told.after ?? cursor
      take(told.data)
      if (told.data.length < PAGE_MAX) return
    }
  }

  function heard(event, data, place) {
    if (place) cursor = place
    if (event === 'entry') take([data])
    else if (event === 'state') {
      state = data
      render()
    } else if (event === 'writing') showWriting(data.name || true)
    else if (event === 'reset') {
      cursor = undefined
      void catchUp().catch(ignore)
    }
  }

  function take(list) {
    for (const entry of list) {
      entries.set(entry.id, entry)
      if (entry.key) outbox.settle(entry.key)
      else if (writing) showWriting(undefined)
    }
    render()
    count()
    seen()
  }

  function showWriting(name) {
    clearTimeout(writingTimer)
    writing = name
    if (name) writingTimer = setTimeout(() => showWriting(undefined), WRITING_SHOWN_MS)
    render()
  }

  function said() {
    const known = [...entries.values()].toSorted((one, other) =>
      one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at < other.at ? -1 : 1,
    )
    const keys = new Set(known.map(({ key }) => key))
    const underway = outbox.items().filter(({ key }) => !keys.has(key))
    return [...known, ...underway.map(item => ({ ...item, by: 'visitor', name: null }))]
  }

  function render() {
    const next = viewNow()
    if (next !== view) lay((view = next))
    panel.head(header())
    panel.tell(noticeText())
    if (view === 'chat') {
      const all = said()
      log.render(all, { writing })
      const name = state.by === 'person' ? firstName(state.name) : undefined
      composer.call(name ? say('reply_to', { name }) : say(state.by === 'agent' ? 'ask' : 'write'))
      chips.hidden = !canAskForPerson()
      renderAside(all)
    }
    renderNote()
  }

  function viewNow() {
    if (session.token() || hasEnded || outbox.items().length > 0) return 'chat'
    if (!config.is_open && !config.agent) return 'away'
    return config.questions.length > 0 && !tab.read().answers ? 'questions' : 'chat'
  }

  function lay(view) {
    const hadFocus = panel.body.contains(shell.shadow.activeElement)
    if (view === 'chat') panel.body.replaceChildren(talk, chips, composer.form)
    else
      panel.body.replaceChildren(
        make('div', { className: 'sheet' }, view === 'away' ? awayForm() : questionForm()),
      )
    panel.foot.replaceChildren(note)
    composer.grow()
    if (hadFocus) focus()
  }

  function questionForm() {
    return askFor(shell, {
      fields: config.questions,
      submit: say('begin'),
      intro: make('h3', { textContent: say('questions') }),
      values: tab.read().asked,
      changed: asked => tab.write({ asked }),
      async send(answers) {
        tab.write({ answers })
        try {
          // The first message would be refused with them.
          await session.ensure()
        } catch (error) {
          tab.write({ answers: undefined })
          throw error
        }
        tab.write({ asked: undefined })
        live.start()
        render()
      },
    })
  }

  function awayForm() {
    return askFor(shell, {
      fields: awayFields(say, config),
      submit: say('send_message'),
      intro: banner('clock', say('away')),
      values: tab.read().asked,
      changed: asked => tab.write({ asked }),
      async send({ [MESSAGE]: text, ...answers }) {
        tab.write({ answers })
        await session.ensure()
        tab.write({ asked: undefined })
        outbox.add(text, [])
        await catchUp().catch(ignore)
        render()
      },
    })
  }

  function banner(shape, text) {
    return make('p', { className: 'banner' }, icon(shape), make('span', { textContent: text }))
  }

  /** Under the talk: nobody is there, or somebody will come; and where to send the answer. */
  let asideAs
  function renderAside(all) {
    const waits = all.some(({ by }) => by === 'visitor')
    const isAway = state.by === 'nobody' && !state.is_open
    const asked = state.asked_for_person && state.by !== 'person'
    const wantsEmail = waits && !state.email && (asksEmail || ((isAway || asked) && !hasEnded))
    const text = isAway ? say(state.email ? 'thanks' : 'away') : undefined
    const as = JSON.stringify([wantsEmail, waits ? text : undefined, isAway])
    if (as === asideAs) return
    asideAs = as
    const held = aside.contains(shell.shadow.activeElement)
    aside.replaceChildren()
    if (waits && text) aside.append(banner('clock', text))
    if (wantsEmail) aside.append(emailForm())
    if (held || asksEmail) aside.querySelector('input')?.focus()
  }

  function emailForm() {
    const key = emailKeyOf(config)
    return askFor(shell, {
      fields: [{ key, type: 'email', label: say('leaving_email'), required: true }],
      submit: say('save'),
      async send(answers) {
        await session.ensure()
        state = await session.call('PATCH', '/api/chat/session', { answers })
        asksEmail = false
        render()
        composer.field.focus()
      },
    })
  }

  /** Who reads it, what for, and where the answer goes. */
  let noteAs
  function renderNote() {
    const hasSaid = entries.size > 0 && !hasEnded
    const text =
      view === 'away'
        ? say('email_use')
        : state.email && hasSaid
          ? say('leaving', { email: state.email })
          : state.by === 'agent'
            ? say('ai_mistakes')
            : ''
    const offers =
      view === 'chat' && hasSaid && !state.email && state.by !== 'agent' && !aside.querySelector('form')
    const as = `${text} ${offers}`
    if (as === noteAs) return
    noteAs = as
    note.replaceChildren(text)
    if (offers) {
      const leave = make('button', { type: 'button', className: 'link', textContent: say('leaving_email') })
      leave.addEventListener('click', () => {
        asksEmail = true
        render()
      })
      note.append(' ', leave)
    }
    if (config.privacy_url) {
      const properties = { href: config.privacy_url, textContent: say('privacy') }
      note.append(' ', make('a', { ...properties, target: '_blank', rel: 'noopener' }))
    }
  }

  function header() {
    const { by, name, is_open, back_at } = state
    const back = back_at ? say('back', { time: formats.moment(back_at) }) : ''
    if (by === 'agent')
      return { by, name: name ?? config.agent?.name ?? config.team, sub: say('answers_at_once') }
    if (by === 'person')
      return {
        by,
        name: name ?? config.team,
        sub: is_open ? say('online', { team: config.team }) : back || config.team,
      }
    return { by, name: config.team, sub: is_open ? usually() : back }
  }

  /** As it was lately, if that is known. */
  function usually() {
    const minutes = state.answers_within_min
    return minutes === null ? '' : say('usually_within', { time: formats.span(minutes) })
  }

  function noticeText() {
    if (!navigator.onLine) return say('offline')
    if (hasEnded && !session.token()) return say('ended')
    return !isOnline && session.token() ? say('reconnecting') : undefined
  }

  function canAskForPerson() {
    return state.by === 'agent' && !state.asked_for_person && !hasEnded
  }

  async function askForPerson() {
    person.disabled = true
    composer.complain(undefined)
    try {
      await session.ensure()
      live.start()
      state = await session.call('POST', '/api/chat/person')
      render()
      composer.field.focus()
    } catch (error) {
      composer.complain(say(error.status === 429 ? 'too_many' : 'failed'))
    } finally {
      person.disabled = false
    }
  }

  async function fetchFile(file) {
    composer.complain(undefined)
    await download(shell, session, file).catch(() => composer.complain(say('download_failed', file)))
  }

  /** What others said since the visitor last had the chat open, in whichever tab. */
  function count() {
    const { read = '' } = local.read()
    shell.setUnread([...entries.values()].filter(({ by, at }) => isOfOthers(by) && at > read).length)
  }

  let seenTimer
  function seen() {
    if (!panel.isOpen() || document.visibilityState !== 'visible' || !session.token()) return
    const last = said().findLast(({ by, id }) => id && isOfOthers(by))
    if (!last || last.at <= (local.read().read ?? '')) return
    local.write({ read: last.at })
    count()
    clearTimeout(seenTimer)
    seenTimer = setTimeout(
      () => void session.call('POST', '/api/chat/seen', { until: last.at }).catch(ignore),
      SEEN_AFTER_MS,
    )
  }

  function stateBefore() {
    const { agent, is_open, back_at, answers_within_min } = config
    const by = agent ? 'agent' : 'nobody'
    return {
      by,
      name: agent?.name ?? null,
      asked_for_person: false,
      is_open,
      back_at,
      answers_within_min,
      email: null,
    }
  }

  function focus() {
    const first = view === 'chat' ? composer.field : panel.body.querySelector('input, textarea')
    first?.focus()
  }

  if (isPage) document.querySelector('body > main')?.setAttribute('hidden', '')
  render()
  void resume()
  void outbox.work()

  return {
    show(isOpen, { focus: takesFocus }) {
      panel.show(isOpen)
      if (!isOpen) return
      composer.grow()
      log.toEnd()
      seen()
      if (takesFocus) focus()
    },
  }
}

const isOfOthers = by => by === 'person' || by === 'agent'
const ignore = () => undefined
