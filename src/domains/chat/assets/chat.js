// <script src="https://<rapport>/chat.js" data-widget="<id>" async></script> shows a button that opens a chat.
// data-language="de" overrides the language of the browser. window.rapportChat.open() and .close() do what the button does.
;(() => {
  const script = document.currentScript ?? document.querySelector('script[data-widget]')
  const id = script?.dataset.widget
  if (!id || window.rapportChat) return
  const home = new URL(script.src).origin
  const build = BUILD()
  const isPage = script.dataset.page !== undefined
  const language = script.dataset.language || navigator.language
  const local = storage(() => localStorage, `rapport.chat.${id}`)
  const tab = storage(() => sessionStorage, `rapport.chat.${id}`)
  let chat
  let loading
  let attempts = 0
  let wanted = isPage || tab.read().open === true

  window.rapportChat = Object.freeze({
    open: () => void show(true, { focus: true }),
    close: () => void show(false),
  })
  rememberLanding()
  const shell = { id, home, isPage, language, local, tab, make, icon, show, setUnread }
  const ready = begin().catch(() => undefined)

  async function begin() {
    const answer = await fetch(`${home}/api/chat/${id}?language=${encodeURIComponent(language)}`, {
      credentials: 'omit',
    })
    if (!answer.ok) return
    const config = await answer.json()
    if (!config.is_on) return
    if (document.readyState === 'loading')
      await new Promise(done => addEventListener('DOMContentLoaded', done, { once: true }))
    Object.assign(shell, { config, say })
    addButton()
    if (isPage || wanted) show(true, { focus: false })
    else if (local.read().token) load()

    /** A text of the widget in the visitor's language, with its places filled in. */
    function say(name, places = {}) {
      return (config.words[name] ?? '').replace(/\{(\w+)\}/g, (_, place) => places[place] ?? '')
    }
  }

  function addButton() {
    const { config, say } = shell
    const element = document.createElement('rapport-chat')
    const shadow = element.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(build.style)
    shadow.adoptedStyleSheets = [sheet]
    const root = make('div', { className: isPage ? 'root page' : 'root', lang: config.language })
    for (const [name, value] of Object.entries(config.colour))
      root.style.setProperty(`--${name.replaceAll('_', '-')}`, value)
    const badge = make('span', { className: 'badge', hidden: true })
    const button = make('button', { type: 'button', className: 'launch' }, icon('chat'), badge)
    button.addEventListener('click', () => show(!wanted, { focus: true }))
    // The rest is on its way before the click.
    for (const sign of ['pointerenter', 'focus']) button.addEventListener(sign, load, { once: true })
    if (!isPage) root.append(button)
    shadow.append(root)
    // The shortcuts of the site are not for what is typed here.
    for (const kind of ['keydown', 'keypress', 'keyup'])
      root.addEventListener(kind, event => event.stopPropagation())
    Object.assign(shell, { root, button, badge, shadow })
    label()
    if (!isPage) greet(say)
    document.body.append(element)
  }

  /** One greeting at most, which stays closed once it is dismissed or the chat was opened. */
  function greet(say) {
    const { config, root, button } = shell
    if (!config.greeting || wanted || local.read().greeted) return
    const text = make('button', { type: 'button', className: 'greeting-text', textContent: config.greeting })
    const away = make('button', { type: 'button', className: 'plain', title: say('dismiss') }, icon('close'))
    away.setAttribute('aria-label', say('dismiss'))
    shell.greeting = make('div', { className: 'greeting' }, text, away)
    text.addEventListener('click', () => show(true, { focus: true }))
    away.addEventListener('click', () => {
      dismissGreeting()
      button.focus()
    })
    root.prepend(shell.greeting)
  }

  function dismissGreeting() {
    if (!shell.greeting) return
    shell.greeting.remove()
    shell.greeting = undefined
    local.write({ greeted: true })
  }

  async function show(isOpen, { focus = false } = {}) {
    wanted = isOpen || isPage
    await ready
    if (!shell.root) return
    tab.write({ open: wanted })
    if (wanted) dismissGreeting()
    label()
    if (!wanted && !chat) return
    const loaded = await load()
    // Closed again meanwhile.
    loaded?.show(wanted, { focus })
  }

  function load() {
    // A browser may remember that it did not get a module.
    loading ??= import(home + build.main + (attempts++ ? `?${attempts}` : '')).then(
      ({ start }) => (chat = start(shell)),
      () => {
        loading = undefined
        wanted = false
        label()
      },
    )
    return loading
  }

  let unread = 0

  function setUnread(count) {
    unread = count
    label()
  }

  function label() {
    const { button, badge, say } = shell
    if (!button) return
    badge.hidden = unread === 0 || wanted
    badge.textContent = unread > 9 ? '9+' : String(unread)
    const news = unread === 1 ? say('unread_one') : say('unread', { n: String(unread) })
    const told = badge.hidden ? '' : `, ${news}`
    button.setAttribute('aria-label', say(wanted ? 'close' : 'open') + told)
    button.setAttribute('aria-expanded', String(wanted))
    button.firstChild.replaceWith(icon(wanted ? 'down' : 'chat'))
  }

  /** Where the visitor came in, for as long as this tab is open. */
  function rememberLanding() {
    if (tab.read().landing) return
    const utm = [...new URLSearchParams(location.search)].filter(([name]) => name.startsWith('utm_'))
    const named = utm.slice(0, 10).map(([name, value]) => [name.slice(4, 44), value.slice(0, 500)])
    tab.write({ landing: { referrer: document.referrer, utm: Object.fromEntries(named) } })
  }

  /** Under one key; where a browser refuses to remember, it lasts as long as the page. */
  function storage(place, key) {
    let memory = {}
    const read = () => {
      try {
        return JSON.parse(place().getItem(key)) ?? memory
      } catch {
        return memory
      }
    }
    const write = change => {
      memory = { ...read(), ...change }
      try {
        place().setItem(key, JSON.stringify(memory))
      } catch {
        // It is in memory.
      }
    }
    return { key, read, write }
  }

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...children.filter(child => child !== undefined && child !== null && child !== false))
    return element
  }

  /** Strokes on a grid of 24. */
  function icon(name) {
    const SVG = 'http://www.w3.org/2000/svg'
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', shapes()[name])
    svg.append(path)
    return svg
  }

  function shapes() {
    return {
      chat: 'M8 19.5 3.5 20.5 4.8 16.6A8 8 0 1 1 8 19.5Z',
      down: 'm6 9.5 6 6 6-6',
      close: 'm6 6 12 12M18 6 6 18',
      send: 'M12 19V5m-6 6 6-6 6 6',
      clip: 'm15 7-6.5 6.5a1.5 1.5 0 0 0 3 3L18 10a3 3 0 0 0-6-6l-6.5 6.5a4.5 4.5 0 0 0 9 9L21 13',
      clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2',
      file: 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8Zm0 0v5h5',
      warning: 'M12 8v5m0 3.5v.01M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z',
    }
  }
})()
