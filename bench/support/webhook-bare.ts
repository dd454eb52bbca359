import fastify from 'fastify'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { isSigned, isTimely, signatureHeaders, signingKey } from '#platform/signature.ts'

/**
 * What one would write in ten minutes: verify, parse, one prepared INSERT, answer. The table has the indexes of the
 * product's own.
 */
const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL!, max: 20 })
await pool.query('create table bare_events (like inbound_events including all)')
const keys = [signingKey(process.env.secret!)]
const server = fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser(
  'application/json',
  { parseAs: 'buffer' },
  async (_: unknown, body: Buffer) => body,
)

server.post<{ Body: Buffer }>('/api/voice/engage/webhook', async (request, reply) => {
  const headers = signatureHeaders(request.headers)
  if (!headers || !isTimely(headers, Date.now()) || !isSigned(keys, headers, request.body))
    return reply.code(401).send()
  const text = request.body.toString()
  const { eventId, type } = JSON.parse(text) as { eventId: string; type: string }
  const { rowCount } = await pool.query({
    name: 'insert',
    text: `insert into bare_events (id, endpoint, event_id, type, body, status, received_at)
      values ($1, 'voice', $2, $3, $4, 'accepted', now()) on conflict (endpoint, event_id) do nothing`,
    values: [newId(), eventId, type, text],
  })
  return { eventId, status: rowCount ? 'accepted' : 'duplicate' }
})

process.send!({ url: await server.listen({ port: 0 }), headers: {}, memoryMiB: 0 })
