import { useState } from 'react'
import { fitting } from '../records/files/limits.ts'
import { dropUpload, startUpload, type Attachment } from '../records/files/uploads.ts'

/** Where the files of a message are kept while it is written, also after this page has been left. */
export type FileBox = {
  get: () => readonly Attachment[]
  set: (change: (now: readonly Attachment[]) => readonly Attachment[]) => void
}

/** Files are uploaded as soon as they are chosen. What does not fit is said beforehand. */
export function useAttachments(box: FileBox) {
  const [fault, setFault] = useState<string>()

  function add(chosen: readonly File[]) {
    if (chosen.length === 0) return
    const { fit, fault } = fitting(box.get(), chosen)
    setFault(fault)
    const started = fit.map(file =>
      startUpload(file, (key, { id, name, type, size }) =>
        box.set(now => now.map(each => (each.key === key ? { key, id, name, type, size } : each))),
      ),
    )
    box.set(now => [...now, ...started])
  }
  function remove(key: string) {
    setFault(undefined)
    dropUpload(key)
    box.set(now => now.filter(each => each.key !== key))
  }
  return { add, remove, fault, refuse: setFault }
}
