import { ActionIcon } from '@mantine/core'
import IconPaperclip from 'icon:paperclip'
import { useRef } from 'react'
import { FILE_BYTES_MAX } from '#domains/files/values.ts'
import { sizeInWords } from '../records/imports/words.ts'
import dropClasses from '../ui/drop.module.css'

type Props = { add: (files: File[]) => void; disabled?: boolean }

export function AttachButton({ add, disabled = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        className={dropClasses.file}
        aria-label="Files to attach"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          // So that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <ActionIcon
        aria-label="Attach files"
        title={`Attach files, up to ${sizeInWords(FILE_BYTES_MAX)} together`}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={18} />
      </ActionIcon>
    </>
  )
}
