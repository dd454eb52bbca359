import type { File as StoredFile } from '#domains/files/contract.ts'
import * as uploads from '../../upload.ts'

const UPLOAD_PATH = '/api/files'
const BYTES = 'application/octet-stream'

export type Upload = uploads.Upload<StoredFile>

export function upload(file: File, progress: (sent: number) => void): Upload {
  const headers = {
    'content-type': file.type || BYTES,
    'content-disposition': dispositionOf(file.name),
  }
  return uploads.sendFile(file, { path: UPLOAD_PATH, headers }, progress)
}

/** Headers are plain letters: a name is percent-encoded (RFC 8187). */
export function dispositionOf(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}
