import IconDownload from 'icon:download'
import { useState } from 'react'
import type { AttachedFile, ConversationEntry } from '#domains/conversations/contract.ts'
import { FileIcon } from '../records/files/file-icon.tsx'
import { hasPreview } from '../records/files/kinds.ts'
import { sizeInWords } from '../records/imports/words.ts'
import textClasses from '../ui/text.module.css'
import classes from './files.module.css'

/** The files of an email. What its original shows, such as a logo, is seen there. */
export function EntryFiles({ entry: { files, has_original } }: { entry: ConversationEntry }) {
  const shown = files.filter(({ inline }) => !inline || !has_original)
  if (shown.length === 0) return null
  return (
    <ul className={classes.files} aria-label="Files">
      {shown.map(file => (
        <li key={file.id}>
          <File file={file} />
        </li>
      ))}
    </ul>
  )
}

function File({ file }: { file: AttachedFile }) {
  const { id, name, size } = file
  const path = `/api/files/${id}`
  const [isBroken, setIsBroken] = useState(false)
  const isPicture = hasPreview(file) && !isBroken
  return (
    <a
      href={path}
      download={name}
      className={classes.file}
      data-picture={isPicture || undefined}
      title={`Download ${name}`}
    >
      {isPicture && (
        <img className={classes.picture} src={path} alt="" loading="lazy" onError={() => setIsBroken(true)} />
      )}
      <span className={classes.caption}>
        <FileIcon file={file} />
        <span className={textClasses.cut} dir="auto">
          {name}
        </span>
        <span className={classes.size}>{sizeInWords(size)}</span>
        <IconDownload size={14} aria-hidden className={classes.download} />
      </span>
    </a>
  )
}
