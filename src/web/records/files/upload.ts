import type { File as StoredFile } from '#domains/files/contract.ts'
import { leaveToSignIn } from '../../api.ts'
import { ApiProblem, problemFrom } from '../../problem.ts'

const UPLOAD_PATH = '/api/files'
const BYTES = 'application/octet-stream'

export type Upload = { done: Promise<StoredFile>; abort: () => void }

/** Sends a file as it is. Uses XMLHttpRequest because fetch reports no upload progress. */
export function upload(file: File, progress: (sent: number) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<StoredFile>((resolve, reject) => {
    request.open('POST', UPLOAD_PATH)
    request.setRequestHeader('content-type', file.type || BYTES)
    request.setRequestHeader('content-disposition', dispositionOf(file.name))
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

/** Headers are plain letters: a name is percent-encoded (RFC 8187). */
export function dispositionOf(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename*=UTF-8''${encoded}`
}

function answerOf(request: XMLHttpRequest): Promise<ApiProblem> {
  const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
  return problemFrom(new Response(request.responseText, { status: request.status, headers }))
}

function unreachable(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
}
