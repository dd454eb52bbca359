/** Other people's words, in a form that we have not checked. */
export type Given = Record<string, unknown>

/** What somebody wrote by WhatsApp, as the conversation shows it. */
export type Shown = { text: string; media?: { id: string; name: string } }

const TEXTS_MAX = 20

/** What cannot be shown here is named as what it is: nothing that somebody wrote is left out. */
export function shownOf(message: Given): Shown {
  const type = textOf(message.type) ?? 'unknown'
  const content = fieldsOf(message[type])
  const media = mediaNames[type]
  if (media) return mediaOf(content, media)
  return { text: textual[type]?.(content, message) || `[A WhatsApp message of the kind "${type}"]` }
}

const textual: Record<string, (content: Given, message: Given) => string | undefined> = {
  text: ({ body }) => textOf(body),
  button: ({ text }) => textOf(text),
  interactive: interactiveText,
  reaction: ({ emoji }) => (textOf(emoji) ? `[Reacted with ${textOf(emoji)}]` : '[Removed a reaction]'),
  location: ({ name, address, latitude, longitude }) =>
    `[Location] ${[textOf(name), textOf(address), `${String(latitude)}, ${String(longitude)}`].filter(Boolean).join(', ')}`,
  contacts: (_, { contacts }) => `[Contact] ${listOf(contacts).map(contactText).filter(Boolean).join('; ')}`,
  order: ({ text, product_items }) =>
    `[Order of ${listOf(product_items).length} products] ${textOf(text) ?? ''}`.trim(),
  system: ({ body }) => textOf(body),
  unsupported: (_, { errors }) => `[A message that WhatsApp does not pass on${detailOf(listOf(errors)[0])}]`,
}

/** What a file is called that has no name, and its ending. */
const mediaNames: Record<string, { word: string; name: string }> = {
  image: { word: 'Image', name: 'image' },
  video: { word: 'Video', name: 'video' },
  audio: { word: 'Audio', name: 'audio' },
  voice: { word: 'Voice message', name: 'voice' },
  document: { word: 'Document', name: 'document' },
  sticker: { word: 'Sticker', name: 'sticker' },
}

const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'application/pdf': 'pdf',
}

function mediaOf(content: Given, { word, name }: { word: string; name: string }): Shown {
  const caption = textOf(content.caption)
  const said = content.voice === true ? 'Voice message' : word
  const id = textOf(content.id)
  const ending = endings[(textOf(content.mime_type) ?? '').split(';')[0]!.trim()]
  const plain = ending ? `${name}.${ending}` : name
  return {
    text: caption ?? `[${said}]`,
    ...(id !== undefined && { media: { id, name: textOf(content.filename) ?? plain } }),
  }
}

function interactiveText(content: Given): string | undefined {
  const { button_reply, list_reply, nfm_reply } = content
  const reply = fieldsOf(button_reply ?? list_reply)
  if (textOf(reply.title)) return [textOf(reply.title), textOf(reply.description)].filter(Boolean).join('\n')
  return nfm_reply === undefined ? undefined : '[Answers to a WhatsApp form]'
}

function contactText(contact: Given): string {
  const name = textOf(fieldsOf(contact.name).formatted_name)
  const phones = listOf(contact.phones).map(({ phone }) => textOf(phone))
  return [name, ...phones].filter(Boolean).join(', ')
}

function detailOf(error: Given | undefined): string {
  const told = textOf(fieldsOf(error?.error_data).details) ?? textOf(error?.title)
  return told ? `: ${told}` : ''
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function fieldsOf(value: unknown): Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {}
}

export function listOf(value: unknown, max = TEXTS_MAX): Given[] {
  return Array.isArray(value) ? value.slice(0, max).map(fieldsOf) : []
}
