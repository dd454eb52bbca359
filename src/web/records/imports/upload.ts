import type { Import } from '#domains/imports/contract.ts'
import { IMPORT_BYTES_MAX } from '#domains/imports/values.ts'
import { leaveToSignIn } from '../../api.ts'
import { ApiProblem, problemFrom } from '../../problem.ts'
import { stringifySearch } from '../../search-text.ts'
import { sizeInWords } from './words.ts'

const UPLOAD_PATH = '/api/crm/imports'

export type Upload = { done: Promise<Import>; abort: () => void }

/** Sends the file as it is. Uses XMLHttpRequest because fetch reports no upload progress. */
export function upload(file: File, progress: (sent: number) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<Import>((resolve, reject) => {
    request.open('POST', UPLOAD_PATH + stringifySearch({ file_name: file.name }))
    request.setRequestHeader('content-type', 'text/csv')
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', event => progress(event.loaded))
    request.addEventListener('load', () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText))
      if (request.status === 401) leaveToSignIn()
      void answerOf(request).then(reject)
    })
    const lost = () => reject(unreachable())
    request.addEventListener('error', lost)
    request.addEventListener('abort', lost)
    request.send(file)
  })
  return { done, abort: () => request.abort() }
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

function answerOf(request: XMLHttpRequest): Promise<ApiProblem> {
  const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
  return problemFrom(new Response(request.responseText, { status: request.status, headers }))
}

function unreachable(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
}
