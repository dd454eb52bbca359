import { initialsOf, linked } from './format.js'

// What was said, as rows that are only ever added to or changed where they are: a screen reader reads out what is new.
const PAUSE_SHOWN_MS = 30 * 60_000
const NEAR_END_PX = 80

export function logOf(shell, { formats, download, retry, mark }) {
  const { make, icon, say, config } = shell
  const list = make('div')
  list.setAttribute('role', 'log')
  list.setAttribute('aria-live', 'polite')
  list.setAttribute('aria-label', say('messages'))
  const aside = make('div', { className: 'aside' })
  const scroller = make('div', { className: 'log', tabIndex: 0 }, list, aside)
  scroller.setAttribute('role', 'group')
  scroller.setAttribute('aria-label', say('chat'))
  const newest = make('button', {
    type: 'button',
    className: 'newest',
    textContent: say('newest'),
    hidden: true,
  })
  newest.addEventListener('click', () => toEnd())
  const shown = new Map()
  // Who reads the end keeps reading the end, whatever comes or takes the room.
  let follows = true
  scroller.addEventListener('scroll', () => {
    follows = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX
    if (follows) newest.hidden = true
  })
  const sizes = new ResizeObserver(() => follows && toEnd())
  for (const part of [scroller, list, aside]) sizes.observe(part)

  /** `said` is entries and what is still on its way, the oldest first. */
  function render(said, { writing }) {
    const rows = [...rowsOf(said), ...(writing ? [dots(writing)] : [])]
    const ids = new Set(rows.map(row => row.id))
    for (const [id, { node }] of shown) {
      if (ids.has(id)) continue
      node.remove()
      shown.delete(id)
    }
    let added = false
    let before
    for (const row of rows) {
      const known = shown.get(row.id)
      const node = known?.node ?? row.build()
      if (known?.as !== row.as) row.update?.(node)
      shown.set(row.id, { node, as: row.as })
      const place = before ? before.nextSibling : list.firstChild
      if (node !== place) list.insertBefore(node, place)
      added ||= !known
      before = node
    }
    if (!added) return
    if (follows || said.at(-1)?.state === 'sending') toEnd()
    else newest.hidden = false
  }

  function* rowsOf(said) {
    yield hello()
    let last
    let person
    let speaker
    for (const each of said) {
      const pause = Date.parse(each.at) - (last ? Date.parse(last.at) : Date.now() - 2 * PAUSE_SHOWN_MS)
      if (last ? pause > PAUSE_SHOWN_MS : pause < 0)
        yield divider(`time ${each.key ?? each.id}`, formats.moment(each.at))
      if (each.by === 'person' && each.name !== person) {
        person = each.name
        yield divider(
          `joined ${each.id}`,
          say('joined', { name: firstName(each.name), time: formats.time(each.at) }),
        )
      }
      if (each.by === 'system') yield divider(each.id, each.text)
      else yield message(each, each.by === 'agent' ? last : speaker)
      last = each
      if (each.by !== 'visitor') speaker = each
    }
  }

  function hello() {
    const by = config.agent ? 'agent' : 'team'
    const text = config.agent
      ? say('hello_agent', { name: config.agent.name, team: config.team })
      : (config.greeting ?? say('hello'))
    return message(
      { id: 'hello', by, name: config.agent?.name ?? config.team, text, files: [] },
      { by: 'team' },
    )
  }

  function divider(id, text) {
    return {
      id,
      as: text,
      build: () => make('div', { className: 'divider' }, make('span', { textContent: text })),
    }
  }

  function message(said, last) {
    const { id, key, by, state, text, files } = said
    const isOwn = by === 'visitor'
    const begins = last?.by !== by || last?.name !== said.name
    return {
      id: key ?? id,
      as: `${state ?? ''} ${said.status ?? ''}`,
      build() {
        const bubble = text && make('p', { className: 'bubble', dir: 'auto' }, ...linked(make, text))
        const kept = files.length > 0 && make('div', { className: 'files' }, ...files.map(fileButton))
        const about = isOwn ? say('you') : (said.name ?? config.team)
        const when = said.at ? `, ${formats.time(said.at)}` : ''
        return make(
          'div',
          { className: `said ${isOwn ? 'own' : 'other'}` },
          !isOwn && begins && by !== 'team' && sender(said),
          make('span', { className: 'unseen', textContent: `${about}${when}: ` }),
          bubble,
          kept,
          said.sources?.length > 0 && sourceLine(said.sources),
          make('div', { className: 'status' }),
        )
      },
      update: node => showState(node, said),
    }
  }

  /** What an agent has it from. */
  function sourceLine(sources) {
    const told = say('from', { source: sources.join(', ') })
    return make('p', { className: 'source' }, icon('file'), make('span', { textContent: told, dir: 'auto' }))
  }

  function sender({ by, name }) {
    return make(
      'div',
      { className: 'sender' },
      avatar(by, name),
      make('span', { textContent: name ?? config.team }),
      by === 'agent' && aiLabel(),
    )
  }

  function showState(node, { key, state, status }) {
    const place = node.lastChild
    node.classList.toggle('failed', state === 'failed')
    // Until it is sent there is nothing to download.
    for (const file of node.querySelectorAll('.file')) file.disabled = state !== undefined
    if (state === 'sending')
      place.replaceChildren(make('span', { className: 'late', textContent: say('sending') }))
    else if (state !== 'failed') place.replaceChildren()
    else {
      const again = make('button', { type: 'button', className: 'link', textContent: say('try_again') })
      again.addEventListener('click', () => retry(key))
      const why = status === 429 ? say('too_many') : say('not_sent')
      place.replaceChildren(icon('warning'), make('span', { textContent: `${why} ` }), again)
    }
  }

  function fileButton(file) {
    const name = make('span', { className: 'name', textContent: file.name })
    const size = make('span', { className: 'size', textContent: formats.size(file.size) })
    const button = make('button', { type: 'button', className: 'file' }, icon('file'), name, size)
    button.setAttribute('aria-label', say('download', { name: file.name }))
    button.addEventListener('click', () => download(file))
    return button
  }

  function dots(name) {
    const build = () => {
      const told = typeof name === 'string' ? say('is_writing', { name }) : say('someone_writing')
      const three = [0, 1, 2].map(() => make('i'))
      return make(
        'div',
        { className: 'said other' },
        make(
          'div',
          { className: 'bubble dots' },
          ...three,
          make('span', { className: 'unseen', textContent: told }),
        ),
      )
    }
    return { id: `writing ${name}`, as: '', build }
  }

  function avatar(by, name) {
    if (by !== 'person') return mark('avatar')
    const made = make('span', { className: 'avatar person', textContent: initialsOf(name ?? config.team) })
    made.setAttribute('aria-hidden', 'true')
    return made
  }

  function aiLabel() {
    return make('span', { className: 'ai', textContent: say('ai') })
  }

  function toEnd() {
    follows = true
    scroller.scrollTop = scroller.scrollHeight
    newest.hidden = true
  }

  return { scroller, aside, newest, render, toEnd }
}

export function firstName(name) {
  return (name ?? '').trim().split(/\s+/)[0]
}
