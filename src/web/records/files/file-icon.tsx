import IconCalendar from 'icon:calendar'
import IconFile from 'icon:file'
import IconFileText from 'icon:file-text'
import IconFileTypePdf from 'icon:file-type-pdf'
import IconFileZip from 'icon:file-zip'
import IconMusic from 'icon:music'
import IconPhoto from 'icon:photo'
import IconPresentation from 'icon:presentation'
import IconTable from 'icon:table'
import IconVideo from 'icon:video'
import type { Icon } from '../../ui/icon.tsx'
import { fileKind, type FileKind } from './kinds.ts'

const icons: Record<FileKind, Icon> = {
  image: IconPhoto,
  pdf: IconFileTypePdf,
  text: IconFileText,
  table: IconTable,
  slides: IconPresentation,
  archive: IconFileZip,
  audio: IconMusic,
  video: IconVideo,
  calendar: IconCalendar,
  other: IconFile,
}

export function FileIcon({ file, size = 16 }: { file: { name: string; type: string }; size?: number }) {
  const Sign = icons[fileKind(file)]
  return <Sign size={size} aria-hidden />
}
