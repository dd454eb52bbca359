import { inWords } from '../../problem.ts'
import { createStore } from '../../ui/store.ts'
import { upload, type Upload } from './upload.ts'

/** A file of a message that is being written. Without an ID, it is not uploaded yet. */
export type Attachment = { key: string; id: string | null; name: string; type: string; size: number }

type Progress = { sent: number; fault?: string }

/** What is under way or has failed, by the key of its attachment. */
const running = createStore<Record<string, Progress>>({})
const uploads = new Map<string, Upload & { file: File; stored: Stored; settled: Promise<unknown> }>()

type Stored = (key: string, file: { id: string; name: string; type: string; size: number }) => void

let made = 0

/** Uploads a file; `stored` is called with what the server has. It continues while another page is shown. */
export function startUpload(file: File, stored: Stored): Attachment {
  const { name, type, size } = file
  const key = `${Date.now()}-${++made}`
  send(key, file, stored)
  return { key, id: null, name, type, size }
}

export function retryUpload(key: string): void {
  const known = uploads.get(key)
  if (known) send(key, known.file, known.stored)
}

/** Nothing becomes of it any more. */
export function dropUpload(key: string): void {
  uploads.get(key)?.abort()
  forget(key)
}

export function useUpload(key: string): Progress | undefined {
  return running.use(now => now[key])
}

/** How many of these are being uploaded. */
export function useUploading(files: readonly Attachment[]): number {
  return running.use(now => files.filter(({ key }) => now[key] && !now[key].fault).length)
}

/** Once none of these is being uploaded any more. */
export async function settledUploads(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map(key => uploads.get(key)?.settled))
}

function send(key: string, file: File, stored: Stored): void {
  note(key, { sent: 0 })
  const under = upload(file, sent => uploads.get(key) === entry && note(key, { sent }))
  const settled = under.done.then(
    answer => {
      if (uploads.get(key) !== entry) return
      forget(key)
      stored(key, answer)
    },
    error => {
      // A cancelled one is forgotten already.
      if (uploads.get(key) === entry) note(key, { sent: 0, fault: inWords(error) })
    },
  )
  const entry = { ...under, file, stored, settled }
  uploads.set(key, entry)
}

function note(key: string, progress: Progress): void {
  running.set(now => ({ ...now, [key]: progress }))
}

function forget(key: string): void {
  uploads.delete(key)
  running.set(({ [key]: _gone, ...others }) => others)
}
