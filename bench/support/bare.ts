import fastify from 'fastify'
import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { leadColumns } from '#domains/leads/store.ts'

/**
 * What one would write in ten minutes: a route, a pool, one prepared statement. No rights, no checks, no row security.
 * POST comes twice: writing the rows the product writes (lead, state, change of the counts, event, live line), and the lead alone.
 */
const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL!, max: 20 })
const team_id = process.env.team_id!
const server = fastify()

server.get('/api/crm/leads', async () => {
  const { rows } = await pool.query({
    name: 'list',
    text: `select ${leadColumns.join(', ')} from leads where team_id = $1 and deleted_at is null order by created_at desc, id desc limit $2`,
    values: [team_id, 51],
  })
  return { data: rows.slice(0, 50), next_cursor: null }
})

const insertLead = `insert into leads (team_id, id, first_name, last_name, email, company, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, 'NEW', 'NONE', 'New', '{}', '{}', $7, $7) returning ${leadColumns.join(', ')}`

server.post<{ Body: Record<string, string> }>('/lead-alone', async (request, reply) => {
  const { first_name, last_name, email, company } = request.body
  const values = [team_id, newId(), first_name, last_name, email, company, new Date()]
  const { rows } = await pool.query({ name: 'lead', text: insertLead, values })
  return reply.code(201).send(rows[0])
})

server.post<{ Body: Record<string, string> }>('/api/crm/leads', async (request, reply) => {
  const { first_name, last_name, email, company } = request.body
  const [id, now] = [newId(), new Date()]
  const data = {
    lead: {
      id,
      ...request.body,
      status: 'NEW',
      call_status: 'NONE',
      pipeline_stage: 'New',
      utm: {},
      custom: {},
      created_at: now,
      updated_at: now,
    },
  }
  const message = { type: 'lead.created', id, subject: { kind: 'lead', id }, at: now, actor_id: id, data }
  const { rows } = await pool.query({
    name: 'all',
    text: `with lead as (${insertLead}),
      state as (insert into lead_states (team_id, id, pipeline_stage, status, call_status, created_at, changed_at, active_at)
        values ($1, $2, 'New', 'NEW', 'NONE', $7, $7, $7)),
      count as (insert into lead_count_changes (team_id, pipeline_stage, status, call_status, owner_id, n)
        values ($1, 'New', 'NEW', 'NONE', '', 1)),
      event as (insert into events (team_id, id, type, subject_kind, subject_id, lead_id, actor_kind, actor_id, actor_name, request_id, ip, data, at)
        values ($1, $2, 'lead.created', 'lead', $2, $2, 'key', $2, 'Bench', 'request', '127.0.0.1', $8, $7)),
      change as (insert into changes (event_id, team_id, scope, at, message) values ($2, $1, 'leads:read', $7, $9))
      select * from lead`,
    values: [
      team_id,
      id,
      first_name,
      last_name,
      email,
      company,
      now,
      JSON.stringify(data),
      JSON.stringify(message),
    ],
  })
  return reply.code(201).send(rows[0])
})

process.send!({ url: await server.listen({ port: 0 }), headers: {}, memoryMiB: 0 })
