import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { CONCURRENCY, POOL_SIZE, Tally, type Queue } from './queue.ts'

/** What one would write by hand: one transaction per job that locks it, works and deletes it. No lease, no retry. */
export async function rawQueue(url: string): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE })
  pool.on('error', () => {})
  await pool.query(`create table raw_jobs (id text collate "C" primary key, kind text not null, data jsonb,
    run_at timestamptz not null); create index on raw_jobs (run_at)`)

  async function work(tally: Tally): Promise<void> {
    const client = await pool.connect()
    for (;;) {
      await client.query('begin')
      const { rows } = await client.query(TAKE)
      if (rows.length > 0) tally.count()
      await client.query('commit')
      if (rows.length === 0) break
    }
    client.release()
  }

  return {
    name: 'raw',
    async enqueueOne() {
      await pool.query({ ...INSERT, values: [newId()] })
    },
    async enqueueMany(count) {
      await pool.query({ ...INSERT_MANY, values: [Array.from({ length: count }, () => newId())] })
    },
    async drain(count) {
      const tally = new Tally()
      await Promise.all(Array.from({ length: CONCURRENCY }, () => work(tally)))
      return tally.until(count, async () => 0)
    },
    close: () => pool.end(),
  }
}

const INSERT = { name: 'insert', text: `insert into raw_jobs values ($1, 'tiny', null, now())` }
const INSERT_MANY = {
  name: 'many',
  text: `insert into raw_jobs select id, 'tiny', null, now() from unnest($1::text[]) as id`,
}
const TAKE = {
  name: 'take',
  text: `delete from raw_jobs where id = (select id from raw_jobs where run_at <= now() order by run_at limit 1 for update skip locked)
    returning id, kind, data`,
}
