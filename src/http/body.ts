import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '#platform/network.ts'
import { Problem } from '#platform/problem.ts'
import { isStorable, NOT_STORABLE } from '#platform/storable.ts'
import { turns } from '#platform/turns.ts'
import { parseJson } from './json.ts'

export const JSON_BODY_BYTES_MAX = 1024 * 1024
const MULTIPART_BYTES_MAX = 16 * 1024
export const LARGE_BYTES = 32 * 1024
/** Answers of sixty-four kilobytes fit into it, however they are written. */
export const FORM_BYTES_MAX = 256 * 1024
/** No form of ours has more names, and where they may repeat, every box of every question can be ticked. */
export const FORM_PAIRS_MAX = 200
export const REPEATED_PAIRS_MAX = 6_000

/** Of an upload: a file of any type. */
export const ANY_FILE = 'application/octet-stream'

declare module 'fastify' {
  interface FastifyRequest {
    endTurn: (() => void) | undefined
    /** What the sender of a file of any type said of its type. */
    fileType: string | undefined
  }
  interface FastifyContextConfig {
    /** This route reads a form instead of JSON, or either of the two. */
    form?: boolean | 'or_json'
    /** In a form a name may come several times. */
    repeats?: boolean
    /** A form may come as multipart too; it is not looked into. */
    multipart?: boolean
    /** This route wants the very bytes: a signature was made over them. */
    raw?: boolean
    /** This route takes a file of this type, and reads it as it comes in. */
    upload?: string
    /** What a browser does with a page is nothing to this route. */
    lean?: boolean
    /** Failures are told as RFC 6749 does. */
    errors?: 'oauth'
  }
}

/** JSON, or a form where the contract says so: any other site's page could send a form without asking first. */
export function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.decorateRequest('endTurn', undefined)
  server.decorateRequest('fileType', undefined)
  server.addHook('onResponse', (request, _, done) => {
    request.endTurn?.()
    done()
  })
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { form, upload, raw } = request.routeOptions.config
      if (raw) return body
      if (upload || form === true) throw unsupported(upload ?? 'application/x-www-form-urlencoded')
      await turnFor(request, body)
      return body.length === 0 ? undefined : parseJson(textOf(body))
    },
  )
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { form, upload, repeats } = request.routeOptions.config
      if (!form) throw unsupported(upload ?? 'application/json')
      if (body.length > FORM_BYTES_MAX)
        throw new Problem('too_large', `A form can have at most ${FORM_BYTES_MAX} bytes.`, {
          code: 'form_too_large',
        })
      await turnFor(request, body)
      return repeats ? parseRepeats(textOf(body)) : parseForm(textOf(body))
    },
  )
  server.addContentTypeParser('text/csv', async (request: FastifyRequest, body: IncomingMessage) => {
    if (request.routeOptions.config.upload !== 'text/csv') throw unsupported('application/json')
    return body
  })
  server.addContentTypeParser(ANY_FILE, async (request: FastifyRequest, body: IncomingMessage) => {
    const { form, upload } = request.routeOptions.config
    if (upload !== ANY_FILE)
      throw unsupported(upload ?? (form ? 'application/x-www-form-urlencoded' : 'application/json'))
    return body
  })
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, body: IncomingMessage) => {
      const { form, upload, multipart } = request.routeOptions.config
      if (!multipart)
        throw unsupported(upload ?? (form ? 'application/x-www-form-urlencoded' : 'application/json'))
      let size = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if ((size += chunk.length) > MULTIPART_BYTES_MAX)
          throw new Problem('too_large', `Send at most ${MULTIPART_BYTES_MAX} bytes.`)
      }
      return {}
    },
  )
}

/**
 * A file may be JSON or a form, and is not read as such: the parser of files takes it, whatever its type. Only an upload form
 * is no file, and what its fields are wrapped in should not be kept as one.
 */
export function takeAsFile(request: FastifyRequest): void {
  const { headers } = request.raw
  const type = headers['content-type']
  if (type && /^\s*multipart\/form-data\b/i.test(type))
    throw new Problem(
      'unsupported_media_type',
      'Send the file itself as the body, not a form with the file in it.',
    )
  request.fileType = type
  headers['content-type'] = ANY_FILE
}

/** Until it is answered, or for as long as one turn may take. */
async function turnFor(request: FastifyRequest, { length }: Buffer): Promise<void> {
  if (length <= LARGE_BYTES) return
  const ctx = request.admission?.ctx
  request.endTurn = await turns.take(ctx?.hasTeam ? ctx.team_id : networkOf(request.ip))
}

function unsupported(wanted: string): Problem {
  return new Problem('unsupported_media_type', `Send ${wanted}.`)
}

/** Bytes that are no UTF-8 would be stored as question marks: better to say so. */
export function textOf(body: Buffer): string {
  if (isUtf8(body)) return body.toString()
  throw new Problem('malformed', 'The request body is not valid UTF-8.', { code: 'not_utf8' })
}

function parseForm(text: string): Record<string, string> {
  const pairs = pairsIn(text, FORM_PAIRS_MAX)
  const seen = new Set<string>()
  for (const [name] of pairs) {
    if (seen.has(name))
      throw new Problem('malformed', `${name.slice(0, 100)} is given more than once.`, {
        code: 'repeated_parameter',
      })
    seen.add(name)
  }
  return Object.fromEntries(pairs)
}

/** Without a prototype: a name is only ever a name. */
function parseRepeats(text: string): Record<string, string | string[]> {
  const values = Map.groupBy(pairsIn(text, REPEATED_PAIRS_MAX), ([name]) => name)
  const entries = [...values].map(([name, list]) => [
    name,
    list.length === 1 ? list[0]![1] : list.map(([, value]) => value),
  ])
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, string | string[]>
}

function pairsIn(text: string, max: number): [name: string, value: string][] {
  if (text.split('&', max + 1).length > max)
    throw new Problem('malformed', `A form can have at most ${max} values.`, { code: 'too_many_values' })
  const pairs = [...new URLSearchParams(text)]
  const broken = pairs.find(pair => !pair.every(isStorable))
  if (broken)
    throw new Problem('malformed', `${broken[0].slice(0, 100)} ${NOT_STORABLE}.`, { code: 'broken_text' })
  return pairs
}
