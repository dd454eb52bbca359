import { ActionIcon, Button } from '@mantine/core'
import IconX from 'icon:x'
import { FileIcon } from '../records/files/file-icon.tsx'
import { retryUpload, useUpload, type Attachment } from '../records/files/uploads.ts'
import { sizeInWords } from '../records/imports/words.ts'
import { Progress } from '../ui/progress.tsx'
import textClasses from '../ui/text.module.css'
import classes from './files.module.css'

type Props = { files: readonly Attachment[]; remove: (key: string) => void; disabled?: boolean }

/** The files of a message that is being written. */
export function Attachments({ files, remove, disabled = false }: Props) {
  return (
    <ul className={classes.attached} aria-label="Attached files">
      {files.map(file => (
        <li key={file.key}>
          <OneFile file={file} remove={() => remove(file.key)} disabled={disabled} />
        </li>
      ))}
    </ul>
  )
}

type FileProps = { file: Attachment; remove: () => void; disabled: boolean }

function OneFile({ file, remove, disabled }: FileProps) {
  const upload = useUpload(file.key)
  const { name, size, id } = file
  const isUploading = id === null && upload?.fault === undefined
  return (
    <div className={classes.attachment} data-failed={upload?.fault ? true : undefined}>
      <div className={classes.line}>
        <FileIcon file={file} />
        <span className={textClasses.cut} title={name} dir="auto">
          {name}
        </span>
        <span className={classes.size}>{sizeInWords(size)}</span>
        {upload?.fault && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={event => {
              focusRemove(event.currentTarget)
              retryUpload(file.key)
            }}
          >
            Try again
          </Button>
        )}
        <ActionIcon
          size="sm"
          className={classes.remove}
          aria-label={`${isUploading ? 'Cancel upload of' : 'Remove'} ${name}`}
          disabled={disabled && !isUploading}
          onClick={event => {
            // The button is gone with its file.
            focusNear(event.currentTarget)
            remove()
          }}
        >
          <IconX size={14} />
        </ActionIcon>
      </div>
      {isUploading && (
        <div className={classes.progress}>
          <Progress label={`Upload of ${name}`} done={upload?.sent ?? 0} of={size} />
        </div>
      )}
      {upload?.fault && (
        <p className={classes.fault} role="alert">
          {upload.fault}
        </p>
      )}
    </div>
  )
}

/** The button that tries again is gone then. */
function focusRemove(button: HTMLElement): void {
  button.closest('li')?.querySelector<HTMLElement>('button:last-of-type')?.focus()
}

/** The button of the next file, or of the one before, or else the field. */
function focusNear(button: HTMLElement): void {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  const field = button.closest('[data-files]')?.querySelector<HTMLElement>('textarea')
  ;(next?.querySelector<HTMLElement>('button:last-of-type') ?? field)?.focus()
}
