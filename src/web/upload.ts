import { leaveToSignIn } from './api.ts'
import { ApiProblem, problemFrom } from './problem.ts'

export type Upload<Made> = { done: Promise<Made>; abort: () => void }

type To = { method?: 'POST' | 'PUT'; path: string; headers: Record<string, string> }

/** Sends a file as it is. Uses XMLHttpRequest because fetch reports no upload progress. */
export function sendFile<Made>(
  file: File,
  { method = 'POST', path, headers }: To,
  progress: (sent: number) => void,
): Upload<Made> {
  const request = new XMLHttpRequest()
  const done = new Promise<Made>((resolve, reject) => {
    request.open(method, path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', event => progress(event.loaded))
    request.addEventListener('load', () => {
      if (request.status === 201 || request.status === 200) return resolve(JSON.parse(request.responseText))
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

function answerOf(request: XMLHttpRequest): Promise<ApiProblem> {
  const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
  return problemFrom(new Response(request.responseText, { status: request.status, headers }))
}

function unreachable(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
}
