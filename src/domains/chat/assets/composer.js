// The field to write in, with files beside it.
const TEXT_LENGTH_MAX = 4_000
const WRITING_EVERY_MS = 3_000
const HEIGHT_MAX_PX = 132

export function composerOf(shell, { attachments, send, writing }) {
  const { make, icon, say, config, tab } = shell
  const field = make('textarea', { rows: 1, value: tab.read().draft ?? '', dir: 'auto' })
  const button = make('button', { type: 'submit', className: 'send', title: say('send') }, icon('send'))
  button.setAttribute('aria-label', say('send'))
  const wrong = make('p', { className: 'wrong', hidden: true })
  wrong.setAttribute('role', 'alert')
  const bar = make('div', { className: 'bar' }, config.takes_files && attachments.button, field, button)
  const form = make('form', { className: 'composer' }, attachments.list, bar, wrong)
  let toldAt = 0

  field.addEventListener('input', () => {
    tab.write({ draft: field.value })
    grow()
    if (field.value && Date.now() - toldAt > WRITING_EVERY_MS) {
      toldAt = Date.now()
      writing()
    }
  })
  field.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  field.addEventListener('paste', event => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (!config.takes_files || files.length === 0) return
    event.preventDefault()
    attachments.add(files)
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit()
    field.focus()
  })

  function submit() {
    const text = field.value.trim()
    const files = attachments.ready()
    if (files === undefined) return
    if (text === '' && files.length === 0) return
    if (text.length > TEXT_LENGTH_MAX)
      return complain(say('too_long', { max: TEXT_LENGTH_MAX.toLocaleString(config.language) }))
    field.value = ''
    toldAt = 0
    tab.write({ draft: '' })
    complain(undefined)
    // A message has words: with files alone it is called like them.
    send(
      text ||
        files
          .map(({ name }) => name)
          .join(', ')
          .slice(0, TEXT_LENGTH_MAX),
      files,
    )
    attachments.clear()
    grow()
  }

  function complain(message) {
    wrong.hidden = !message
    wrong.textContent = message ?? ''
  }

  function grow() {
    button.classList.toggle('ready', field.value.trim() !== '' || attachments.count() > 0)
    field.style.height = 'auto'
    field.style.height = `${Math.min(field.scrollHeight, HEIGHT_MAX_PX)}px`
  }

  function call(label) {
    field.placeholder = label
    field.setAttribute('aria-label', label)
  }

  return { form, field, complain, grow, call }
}
