import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLead } from '#domains/leads/service.ts'
import { requireMarks } from '#platform/jobs/marks.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { setListeners } from '#platform/listeners.ts'
import { raw } from '#platform/database/tables.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openLogin } from '#platform/database/login.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { rapportHere } from '#test/command-line.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { full } from '#test/tier.ts'
import { CITUS_MISSING, findCitus, startCitus, type CitusCluster } from '../../scripts/citus.mjs'

// An installation on three nodes: set up, used, crashed, grown, backed up.
const MIGRATIONS = new URL('../../migrations/', import.meta.url).pathname
const SHARDS = 4
const REBALANCE_TIME_MAX_MS = 240_000
const CRASHES = Number(process.env.CRASHES ?? (full ? 50 : 6))
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const available = findCitus() !== undefined
const folder = mkdtempSync(join(tmpdir(), 'rapport-citus-test-'))

describe.skipIf(!available)(available ? 'an installation on Citus' : `skipped: ${CITUS_MISSING}`, () => {
  inOrder()
  let cluster: CitusCluster
  let url: string
  let database: TestDatabase
  let app: TestApp
  let closeApp: () => Promise<void> = async () => {}
  let ada: Person
  const env = () => ({ DATABASE_URL: url, DATA_DIR: folder })

  beforeAll(async () => {
    cluster = await startCitus({
      // Nothing waits for a standby, but what says that it does: see the crashes.
      settings: {
        synchronous_commit: 'local',
        'citus.shard_count': SHARDS,
        'citus.recover_2pc_interval': '1s',
      },
    })
    url = await cluster.createDatabase('rapport')
  })
  afterAll(async () => {
    await closeApp()
    await database?.drop()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function openApp(): Promise<void> {
    app = await startApp({ database, role: 'api', sharded: true })
    closeApp = () => {
      closeApp = async () => {}
      return app.close()
    }
  }

  const ask = <Row>(text: string) => cluster.coordinator.run<Row>('rapport', text)

  describe('being distributed', () => {
    test('comes after the migrations', async () => {
      const early = await rapportHere(['distribute'], env())
      expect([early.code, early.err]).toEqual([
        1,
        'The schema is not up to date. Run `rapport migrate` first.\n',
      ])
      expect((await rapportHere(['migrate'], env())).code).toBe(0)
      const check = await rapportHere(['distribute', '--check'], env())
      expect(check.code).toBe(1)
      expect(check.out).toMatch(/^leads is not sharded yet\.$/m)
      expect(check.out).toMatch(/^rapport_app may not log in on a node: alter role rapport_app login$/m)
    })

    test('names each table once, and puts all of them where they belong', async () => {
      const { code, out, err } = await rapportHere(['distribute'], env())
      expect([code, err]).toEqual([0, ''])
      const placed = [...out.matchAll(/^(\w+): (sharded|managed), [\d.]+ s$/gm)].map(([, name]) => name!)
      expect(new Set(placed).size).toBe(placed.length)
      expect(placed).toEqual(expect.arrayContaining(['leads', 'events', 'jobs']))
      expect(out).toMatch(/^\d+ tables are sharded over 2 nodes, \d+ are managed on the coordinator\. Took/m)
      const teams = await ask<{ kinds: number }>(
        `select count(distinct colocationid)::int as kinds from pg_dist_partition where partmethod = 'h'`,
      )
      expect(teams).toEqual([{ kinds: 1 }])
    })

    test('is done once', async () => {
      for (const words of [['distribute'], ['distribute', '--check']]) {
        const again = await rapportHere(words, env())
        expect([again.code, again.err]).toEqual([0, ''])
        expect(again.out).toMatch(
          /^\d+ tables are sharded over 2 nodes, \d+ are managed on the coordinator\.\n$/,
        )
      }
    })

    test('by half is found by the doctor, and finished', async () => {
      await ask(`select undistribute_table('views')`)
      const half = await rapportHere(['doctor'], env())
      expect(half.code).toBe(1)
      expect(half.out).toMatch(
        /✗ shards +1 of the tables .*\(views\): stop Rapport and run rapport distribute/,
      )
      const finished = await rapportHere(['distribute'], env())
      expect(finished.out).toMatch(/^views: sharded, [\d.]+ s\n/)
      expect((await rapportHere(['doctor'], env())).out).toMatch(/✓ shards +\d+ tables on 2 nodes/)
    })
  })

  describe('the product', () => {
    beforeAll(async () => {
      const owner = new pg.Pool({ connectionString: url, max: 1 })
      owner.on('error', () => {})
      database = {
        url,
        loginUrl: (await openLogin(url)).url,
        query: async (text, values) => (await owner.query(text, values)).rows as never,
        onWorkers: text => Promise.all(cluster.nodes.slice(1).map(node => node.run<never>('rapport', text))),
        drop: () => owner.end(),
      }
      await openApp()
      ada = await app.person()
    })

    test('keeps what it is given, and finds it again', async () => {
      const key = await ada.key()
      const made = await key.post('/api/crm/leads', {
        first_name: 'Hedy',
        last_name: 'Lamarr',
        company: 'Spread',
      })
      expect(made.status, made.text).toBe(201)
      for (const path of ['/api/crm/leads', '/api/crm/leads?q=lam', '/api/crm/leads?q=lamar']) {
        const { body } = await key.get(path)
        expect(body.data, path).toMatchObject([{ id: made.body.id }])
      }
      const { body } = await key.get(`/api/crm/leads/${made.body.id}/timeline`)
      expect(body.data).toMatchObject([{ type: 'lead.created' }])
      expect(await ask(`select from leads`)).toHaveLength(1)
    })

    test('shows no team the leads of another', async () => {
      const eve = await app.person()
      expect((await (await eve.key()).get('/api/crm/leads')).body.data).toEqual([])
    })
  })

  describe('a migration that comes later', () => {
    test('makes its tables sharded, with keys to those that are, and changes them', async () => {
      const later = join(folder, 'migrations')
      cpSync(MIGRATIONS, later, { recursive: true })
      writeFileSync(
        join(later, '9998_later.sql'),
        `create table remarks (team_id text collate "C" not null, id text collate "C" not null, lead_id text collate "C" not null,
           text text not null, primary key (team_id, id), foreign key (team_id, lead_id) references leads on delete cascade);
         select make_tenant_table('remarks');
         alter table leads add column nickname text;
         create index leads_by_nickname on leads (team_id, nickname) where nickname is not null;`,
      )
      writeFileSync(
        join(later, '9999_undone.sql'),
        `drop table remarks; delete from table_places where name = 'remarks'; alter table leads drop column nickname;`,
      )
      expect(await migrate(url, later)).toEqual(['9998_later.sql', '9999_undone.sql'])
      await ask(`delete from schema_migrations where name > '9998'`)
    })
  })

  describe('the months of the event log', () => {
    test('are made ahead, and take what came before them', async () => {
      const [{ made }] = (await ask<{ made: number }>(
        `select make_partitions(now() + interval '7 months') as made`,
      )) as [{ made: number }]
      expect(made).toBeGreaterThan(2)
      const parts = await ask<{ parts: number }>(
        `select count(*)::int as parts from pg_inherits join pg_dist_partition on logicalrelid = inhrelid
         where inhparent = 'events'::regclass`,
      )
      const all = await ask<{ parts: number }>(
        `select count(*)::int as parts from pg_inherits where inhparent = 'events'::regclass`,
      )
      expect(parts).toEqual(all)
    })
  })

  describe('a coordinator that dies between the prepares and the commits', () => {
    test(`${CRASHES} times: no state without its event and job, and none of them without the state`, async () => {
      const workers = cluster.nodes.slice(1)
      await ada.ctx.transaction(async ctx => setListeners(ctx, ['lead.created']))
      let inDoubt = 0
      let kept = 0
      for (let crash = 0; crash < CRASHES; crash++) {
        // What waits for a standby that does not exist is held there: on the workers once prepared, on the coordinator once
        // committed. The first must be rolled back afterwards, the second must be committed.
        const onWorkers = crash % 2 === 0
        if (onWorkers) await Promise.all(workers.map(node => waitForStandby(node, true)))
        else await restart({ synchronous_standby_names: 'nobody' })
        const outcome = ada.ctx
          .transaction(async ctx => {
            ctx.later(raw(sql`set local synchronous_commit = on`))
            await createLead(ctx, { last_name: `Crash ${crash}` })
          })
          .then(
            () => 'committed',
            () => 'unknown',
          )
        await eventually(async () => {
          const prepared = await Promise.all(
            workers.map(node => node.run('rapport', 'select from pg_prepared_xacts')),
          )
          const held = onWorkers ? workers : [cluster.coordinator]
          const waiting = await Promise.all(
            held.map(node =>
              node.run('postgres', `select from pg_stat_activity where wait_event = 'SyncRep'`),
            ),
          )
          if (waiting.flat().length === 0) throw new Error('nothing waits yet')
          if (!onWorkers && prepared.flat().length === 0) throw new Error('nothing is prepared')
        })
        inDoubt++
        await cluster.coordinator.kill()
        expect(await outcome).toBe('unknown')
        if (onWorkers) await Promise.all(workers.map(node => waitForStandby(node, false)))
        else kept++
        await cluster.coordinator.start()
        await eventually(async () => {
          await ask('select recover_prepared_transactions()')
          const left = await Promise.all(
            workers.map(node => node.run('rapport', 'select from pg_prepared_xacts')),
          )
          if (left.flat().length > 0) throw new Error('still in doubt')
        })
      }
      expect(inDoubt).toBe(CRASHES)
      const named = await ask<{ id: string }>(
        `select id from leads where last_name like 'Crash %' order by 1`,
      )
      const told = await ask<{ subject_id: string; id: string }>(
        `select subject_id, id from events where type = 'lead.created' and data #>> '{lead,last_name}' like 'Crash %' order by 1`,
      )
      const jobs = await ask<{ event_id: string }>(
        `select distinct event_id from jobs where event_id is not null`,
      )
      expect(named).toHaveLength(kept)
      expect(told.map(({ subject_id }) => subject_id)).toEqual(named.map(({ id }) => id))
      const withJob = new Set(jobs.map(({ event_id }) => event_id))
      expect(told.filter(({ id }) => !withJob.has(id))).toEqual([])
      const known = new Set((await ask<{ id: string }>('select id from events')).map(({ id }) => id))
      expect([...withJob].filter(id => !known.has(id))).toEqual([])
    })

    async function restart(extra: Record<string, string>): Promise<void> {
      await cluster.coordinator.stop()
      await cluster.coordinator.start(extra)
      await eventually(() => app.database.query('select 1'))
    }

    async function waitForStandby(node: CitusCluster['coordinator'], on: boolean): Promise<void> {
      await node.run('postgres', `alter system set synchronous_standby_names = ${on ? `'nobody'` : `''`}`)
      await node.run('postgres', 'select pg_reload_conf()')
    }
  })

  describe('a job', () => {
    test('waits until what it is about is committed on its node as well', async () => {
      const { runtime } = app
      const id = await ada.ctx.transaction(async ctx => enqueue(ctx, { kind: 'no such job' }))
      const [job] = await app.database.query<Job>('select * from jobs where id = $1', [id])
      await expect(requireMarks(runtime, [job!])).resolves.toBeUndefined()
      // As between the commit of the coordinator and that of the node.
      await app.database.query('delete from commit_marks where team_id = $1 and id = $2', [
        ada.team_id,
        job!.mark,
      ])
      await expect(requireMarks(runtime, [job!])).rejects.toThrow('has not been committed on every node yet')
      await app.database.query('delete from jobs where id = $1', [id])
    })
  })

  describe('a node that is added', () => {
    test('takes over shards while leads are created, and none is lost', async () => {
      const people = await peopleOnEveryShard()
      const node = await cluster.addNode('rapport')
      const made: string[] = []
      let ended = false
      const writing = people.map(async ({ ctx }) => {
        while (!ended) {
          const lead = await createLead(ctx, { last_name: 'Moved' }).catch(() => undefined)
          if (lead) made.push(lead.id)
        }
      })
      await ask('select citus_rebalance_start()')
      await eventually(async () => {
        const [status] = await ask<{ state: string }>('select state from citus_rebalance_status()')
        expect(status!.state).toBe('finished')
      }, REBALANCE_TIME_MAX_MS)
      ended = true
      await Promise.all(writing)
      expect(await ask(`select from citus_shards where nodeport = ${node.port} limit 1`)).toHaveLength(1)
      const found = await ask<{ id: string }>(`select id from leads where last_name = 'Moved'`)
      const ids = new Set(found.map(({ id }) => id))
      expect(made.length).toBeGreaterThan(0)
      expect(made.filter(id => !ids.has(id))).toEqual([])
      expect(found).toHaveLength(ids.size)
      expect((await rapportHere(['doctor'], env())).out).toMatch(/✓ shards +\d+ tables on 3 nodes/)
    })

    /** Whichever shard is moved, somebody writes to it meanwhile. */
    async function peopleOnEveryShard(): Promise<Person[]> {
      const found = new Map<string, Person>()
      while (found.size < SHARDS) {
        const person = await app.person()
        const [{ shard }] = (await ask<{ shard: string }>(
          `select get_shard_id_for_distribution_column('leads', '${person.team_id}')::text as shard`,
        )) as [{ shard: string }]
        found.set(shard, person)
      }
      return [...found.values()]
    }
  })

  describe('a backup', () => {
    const file = join(folder, 'cluster.backup.gz')
    const counted = `select (select count(*) from leads)::int as leads, (select count(*) from events)::int as events,
      (select count(*) from jobs)::int as jobs, (select count(*) from users)::int as users`

    test('of the cluster is restored into one PostgreSQL', async () => {
      const { code, err } = await rapportHere(['backup', '--file', file], env())
      expect([code, err]).toEqual([0, ''])
      const one = await createDatabase()
      const restored = await rapportHere(['restore', file, '--force'], {
        DATABASE_URL: one.url,
        DATA_DIR: folder,
      })
      expect([restored.code, restored.err]).toEqual([0, ''])
      expect(await one.query(counted)).toEqual(await ask(counted))
      await one.drop()
    })

    test('of the cluster is restored into the cluster, which is distributed again', async () => {
      const before = await ask(counted)
      await closeApp()
      const restored = await rapportHere(['restore', file, '--force'], env())
      expect([restored.code, restored.err]).toEqual([0, ''])
      expect(restored.out).toMatch(/rapport distribute/)
      expect((await rapportHere(['distribute'], env())).code).toBe(0)
      expect(await ask(counted)).toEqual(before)
      await openApp()
    })
  })
})
