/** What a file is, for its icon. Decided by its type, or by its name where the sender said nothing better. */
export type FileKind =
  | 'image'
  | 'pdf'
  | 'text'
  | 'table'
  | 'slides'
  | 'archive'
  | 'audio'
  | 'video'
  | 'calendar'
  | 'other'

const byEnding: Record<string, FileKind> = {
  pdf: 'pdf',
  ...all('image', 'png jpg jpeg gif webp avif bmp svg heic tif tiff'),
  ...all('text', 'txt md rtf doc docx odt pages'),
  ...all('table', 'csv tsv xls xlsx ods numbers'),
  ...all('slides', 'ppt pptx odp key'),
  ...all('archive', 'zip gz tgz tar 7z rar bz2 xz'),
  ...all('audio', 'mp3 wav ogg m4a flac aac'),
  ...all('video', 'mp4 mov webm avi mkv'),
  calendar: 'calendar',
  ics: 'calendar',
}

export function fileKind({ name, type }: { name: string; type: string }): FileKind {
  const [group = '', detail = ''] = type.toLowerCase().split(/[/;]/)
  if (group === 'image' || group === 'audio' || group === 'video') return group
  if (detail === 'pdf' || detail === 'calendar') return detail
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(byEnding, ending) && byEnding[ending]) || (group === 'text' ? 'text' : 'other')
}

/** Pictures that every browser shows, and that can run nothing. */
const SHOWN = /^image\/(?:png|jpe?g|gif|webp|avif)$/i

export function hasPreview({ type }: { type: string }): boolean {
  return SHOWN.test(type)
}

function all(kind: FileKind, endings: string): Record<string, FileKind> {
  return Object.fromEntries(endings.split(' ').map(ending => [ending, kind]))
}
