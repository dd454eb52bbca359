import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '#platform/problem.ts'
import { parseJson } from './json.ts'

export const JSON_BODY_BYTES_MAX = 1024 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** This route reads a form instead of JSON, or either of the two. */
    form?: boolean | 'or_json'
    /** This route takes a file of this type, and reads it as it comes in. */
    upload?: string
    /** Failures are told as RFC 6749 does. */
    errors?: 'oauth'
  }
}

/** JSON, or a form where the contract says so: any other site's page could send a form without asking first. */
export function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { form, upload } = request.routeOptions.config
      if (upload || form === true) throw unsupported(upload ?? 'application/x-www-form-urlencoded')
      return body.length === 0 ? undefined : parseJson(textOf(body))
    },
  )
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { form, upload } = request.routeOptions.config
      if (!form) throw unsupported(upload ?? 'application/json')
      return parseForm(textOf(body))
    },
  )
  server.addContentTypeParser('text/csv', async (request: FastifyRequest, body: IncomingMessage) => {
    if (request.routeOptions.config.upload !== 'text/csv') throw unsupported('application/json')
    return body
  })
}

function unsupported(wanted: string): Problem {
  return new Problem('unsupported_media_type', `Send ${wanted}.`)
}

/** Bytes that are no UTF-8 would be stored as question marks: better to say so. */
function textOf(body: Buffer): string {
  if (isUtf8(body)) return body.toString()
  throw new Problem('malformed', 'The body is not UTF-8.', { code: 'not_utf8' })
}

function parseForm(text: string): Record<string, string> {
  const pairs = [...new URLSearchParams(text)]
  const names = pairs.map(([name]) => name)
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  if (repeated === undefined) return Object.fromEntries(pairs)
  throw new Problem('malformed', `${repeated.slice(0, 100)} is given more than once.`, {
    code: 'repeated_parameter',
  })
}
