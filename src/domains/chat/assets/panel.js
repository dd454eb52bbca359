import { initialsOf } from './format.js'

// The frame of the chat: who answers on top, the talk in the middle, what can be done below. Full screen on phones, and only there
// it keeps the focus.
const phone = matchMedia('(max-width: 480px)')

export function panelOf(shell, { close, dropped, mark }) {
  const { make, icon, say, config, isPage, root, button } = shell
  const ours = mark('face')
  const theirs = make('span', { className: 'face person' })
  theirs.setAttribute('aria-hidden', 'true')
  const title = make(isPage ? 'h1' : 'h2', { className: 'title', id: 'title' })
  const about = make('p', { className: 'about' })
  const leave = make('button', { type: 'button', className: 'plain', title: say('close') }, icon('close'))
  leave.setAttribute('aria-label', say('close'))
  leave.addEventListener('click', close)
  const header = make(
    'header',
    {},
    ours,
    theirs,
    make('div', { className: 'who' }, title, about),
    !isPage && leave,
  )
  const notice = make('p', { className: 'notice', hidden: true })
  notice.setAttribute('role', 'status')
  const body = make('div', { className: 'body' })
  const foot = make('div', { className: 'foot' })
  const over = make('div', { className: 'drop', textContent: say('drop'), hidden: true })
  const panel = make(
    isPage ? 'main' : 'section',
    { className: 'panel', hidden: true },
    header,
    notice,
    body,
    foot,
    over,
  )
  if (!isPage) panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-labelledby', 'title')
  // Beside the button it comes first: what opens is reached before what opened it.
  root.prepend(panel)

  panel.addEventListener('keydown', event => {
    if (isPage) return
    if (event.key === 'Escape') close()
    if (event.key === 'Tab' && phone.matches) trap(event)
  })

  function trap(event) {
    const reached = [...panel.querySelectorAll('button, input, textarea, a[href], [tabindex="0"]')].filter(
      each => each.getClientRects().length > 0 && !each.disabled,
    )
    const [first, last] = [reached[0], reached.at(-1)]
    const from = event.shiftKey ? first : last
    if (shell.shadow.activeElement !== from) return
    event.preventDefault()
    ;(event.shiftKey ? last : first).focus()
  }

  // The keyboard of a phone covers a part of the page: the panel takes what is left.
  const view = window.visualViewport
  const fit = () => {
    panel.style.setProperty('--height', phone.matches && view ? `${view.height}px` : '')
    panel.style.setProperty('--top', phone.matches && view ? `${view.offsetTop}px` : '')
  }
  for (const kind of ['resize', 'scroll']) view?.addEventListener(kind, () => !panel.hidden && fit())
  phone.addEventListener('change', modality)

  function modality() {
    fit()
    if (!isPage) panel.setAttribute('aria-modal', String(phone.matches))
  }

  if (config.takes_files) {
    const hasFiles = event => event.dataTransfer?.types.includes('Files')
    panel.addEventListener('dragover', event => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over.hidden = false
    })
    panel.addEventListener('dragleave', event => {
      if (!panel.contains(event.relatedTarget)) over.hidden = true
    })
    panel.addEventListener('drop', event => {
      over.hidden = true
      if (!hasFiles(event)) return
      event.preventDefault()
      dropped([...event.dataTransfer.files])
    })
  }

  /** Who answers: the agent with its label, a person, or the team. */
  function head({ by, name, sub }) {
    title.replaceChildren(name)
    if (by === 'agent') title.append(' ', make('span', { className: 'ai', textContent: say('ai') }))
    about.textContent = sub
    ours.hidden = by === 'person'
    theirs.hidden = !ours.hidden
    theirs.textContent = initialsOf(name)
  }

  function tell(text) {
    if (notice.textContent === (text ?? '')) return
    notice.hidden = !text
    notice.textContent = text ?? ''
  }

  function show(isOpen) {
    if (panel.hidden !== isOpen) return
    const hadFocus = panel.contains(shell.shadow.activeElement)
    panel.hidden = !isOpen
    root.classList.toggle('open', isOpen)
    modality()
    if (!isOpen && hadFocus) button.focus()
  }

  return { panel, body, foot, head, tell, show, isOpen: () => !panel.hidden }
}
