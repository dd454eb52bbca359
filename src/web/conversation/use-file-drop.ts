import { useState, type ClipboardEvent, type DragEvent } from 'react'

type Options = {
  enabled: boolean
  add: (files: File[]) => void
  refuse: (why: string) => void
}

/** Takes files that are dropped somewhere, and pictures that are pasted. */
export function useFileDrop({ enabled, add, refuse }: Options) {
  const [isOver, setIsOver] = useState(false)
  if (!enabled) return { isOver: false, zone: {}, onPaste: undefined }

  const zone = {
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      setIsOver(false)
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
      const files = items.filter(item => !item.webkitGetAsEntry()?.isDirectory)
      add(files.flatMap(item => item.getAsFile() ?? []))
      if (files.length < items.length) refuse('A folder cannot be attached. Attach its files instead.')
    },
  }
  function onPaste(event: ClipboardEvent) {
    const { clipboardData } = event
    // Office programs put a picture of the text beside it.
    if (clipboardData.files.length === 0 || clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    add([...clipboardData.files])
  }
  return { isOver, zone, onPaste }
}
