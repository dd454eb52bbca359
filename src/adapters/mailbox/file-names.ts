const NAME_LENGTH_MAX = 200
const EXTENSION_LENGTH_MAX = 20
const TYPE_LENGTH_MAX = 100

/** A name for a file that a stranger named: no path, nothing that hides what it is, and an extension where its type has one. */
export function fileName(name: string | null, type: string): string {
  const cleaned = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  // Any file is plain text that nobody said more of.
  const extension = cleaned && type === 'text/plain' ? undefined : EXTENSIONS[type]
  const whole = cleaned || 'file'
  return shortened(extension && !/\.[\p{L}\p{N}]{1,10}$/u.test(whole) ? `${whole}.${extension}` : whole)
}

/** Control characters, and those that change the direction of what follows or cannot be seen. */
const HIDDEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu

function shortened(name: string): string {
  const characters = [...name]
  if (name.length <= NAME_LENGTH_MAX) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= EXTENSION_LENGTH_MAX ? name.slice(dot) : ''
  let kept = ''
  for (const character of characters) {
    if (kept.length + character.length + extension.length > NAME_LENGTH_MAX) break
    kept += character
  }
  return kept + extension
}

export function fileType(type: string): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) && type.length <= TYPE_LENGTH_MAX
    ? type
    : 'application/octet-stream'
}

const EXTENSIONS: Record<string, string> = {
  'application/gzip': 'gz',
  'application/ics': 'ics',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/pgp-keys': 'asc',
  'application/pgp-signature': 'asc',
  'application/pkcs7-mime': 'p7m',
  'application/x-pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-signature': 'p7s',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'message/global': 'eml',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/rtf': 'rtf',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}
