import type { Import } from '#domains/imports/contract.ts'
import { IMPORT_BYTES_MAX } from '#domains/imports/values.ts'
import { stringifySearch } from '../../search-text.ts'
import * as uploads from '../../upload.ts'
import { sizeInWords } from './words.ts'

const UPLOAD_PATH = '/api/crm/imports'

export type Upload = uploads.Upload<Import>

export function upload(file: File, progress: (sent: number) => void): Upload {
  const path = UPLOAD_PATH + stringifySearch({ file_name: file.name })
  return uploads.sendFile(file, { path, headers: { 'content-type': 'text/csv' } }, progress)
}

/** Why the file cannot be uploaded, if so. */
export function faultOf(file: File, bytesMax = IMPORT_BYTES_MAX): string | undefined {
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name))
    return 'This is a spreadsheet. Export it as CSV and choose that file.'
  if (file.size === 0) return 'This file is empty.'
  if (file.size > bytesMax)
    return `This file is ${sizeInWords(file.size)}. The limit is ${sizeInWords(bytesMax)}.`
  return undefined
}
