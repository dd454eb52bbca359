import fastify from 'fastify'

/** What one would write in a minute: the four fields, and nothing that proves later what was asked for. */
const { headers, body } = JSON.parse(process.env.answer!) as { headers: Record<string, string>; body: object }
const server = fastify()
server.get('/api/v1/agent/purchase/:agent_id', async (_, reply) => reply.code(402).send(body))
/** The same answer to the byte, as somebody else made it a moment ago. */
server.get('/alike', async (_, reply) => reply.code(402).headers(headers).send(body))
process.send!({ url: await server.listen({ port: 0 }), headers: {}, memoryMiB: 0 })
