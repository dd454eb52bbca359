import { Refused } from './session.js'

// Files of the next message: each is uploaded at once, and shown with how far it is.
const FILES_MAX = 5
const FILE_BYTES_MAX = 10 * 1024 * 1024
const BYTES_PER_MB = 1024 * 1024

export function attachmentsOf({ make, icon, say, home }, session, { complain, changed }) {
  let items = []
  const picker = make('input', { type: 'file', multiple: true, hidden: true })
  const button = make('button', { type: 'button', className: 'plain', title: say('attach') }, icon('clip'))
  button.setAttribute('aria-label', say('attach'))
  const list = make('div', { className: 'attached', hidden: true })
  button.addEventListener('click', () => picker.click())
  button.append(picker)
  picker.addEventListener('click', event => event.stopPropagation())
  picker.addEventListener('change', () => {
    add([...picker.files])
    picker.value = ''
  })

  function add(files) {
    complain(undefined)
    for (const file of files) {
      const places = { name: file.name }
      if (items.length >= FILES_MAX) return complain(say('files_too_many', { max: String(FILES_MAX) }))
      if (file.size === 0) complain(say('file_empty', places))
      else if (file.size > FILE_BYTES_MAX)
        complain(say('file_too_large', { ...places, max: String(FILE_BYTES_MAX / BYTES_PER_MB) }))
      else void upload(file)
    }
  }

  async function upload(file) {
    const progress = make('progress', { max: 1, value: 0 })
    progress.setAttribute('aria-label', say('uploading', { name: file.name }))
    const remove = make('button', { type: 'button', className: 'plain' }, icon('close'))
    remove.setAttribute('aria-label', say('remove', { name: file.name }))
    const name = make('span', { className: 'name', textContent: file.name })
    const item = { row: make('div', { className: 'file' }, icon('file'), name, progress, remove) }
    remove.addEventListener('click', () => {
      item.request?.abort()
      drop(item)
    })
    items.push(item)
    show()
    try {
      await session.ensure()
      item.made = await bring(file, item, sent => (progress.value = sent / file.size))
      progress.remove()
      show()
    } catch (error) {
      if (!items.includes(item)) return
      drop(item)
      const told = { 413: 'file_too_large', 415: 'file_type', 429: 'too_many' }[error.status] ?? 'file_failed'
      complain(say(told, { name: file.name, max: String(FILE_BYTES_MAX / BYTES_PER_MB) }))
    }
  }

  /** Not by fetch, which does not say how far an upload is. */
  function bring(file, item, progress) {
    return new Promise((resolve, reject) => {
      const request = (item.request = new XMLHttpRequest())
      request.open('POST', `${home}/api/chat/files`)
      request.setRequestHeader('authorization', `Bearer ${session.token()}`)
      request.setRequestHeader('content-type', file.type || 'application/octet-stream')
      const name = encodeURIComponent(file.name.toWellFormed?.() ?? file.name).replaceAll("'", '%27')
      request.setRequestHeader('content-disposition', `attachment; filename*=UTF-8''${name}`)
      request.upload.addEventListener('progress', event => progress(event.loaded))
      request.addEventListener('load', () => {
        if (request.status === 201) resolve(JSON.parse(request.responseText))
        else reject(new Refused(request.status))
      })
      for (const kind of ['error', 'abort']) request.addEventListener(kind, () => reject(new Refused(0)))
      request.send(file)
    })
  }

  function drop(item) {
    items = items.filter(each => each !== item)
    show()
  }

  function show() {
    list.hidden = items.length === 0
    list.replaceChildren(...items.map(({ row }) => row))
    changed()
  }

  return {
    button,
    list,
    add,
    count: () => items.length,
    /** Undefined while one is still on its way. */
    ready: () => (items.every(({ made }) => made) ? items.map(({ made }) => made) : undefined),
    clear() {
      items = []
      show()
    },
  }
}

/** With the token of the session, which no link could carry. */
export async function download({ make }, session, file) {
  const answer = await session.open(`/api/chat/files/${file.id}`)
  const href = URL.createObjectURL(await answer.blob())
  make('a', { href, download: file.name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
