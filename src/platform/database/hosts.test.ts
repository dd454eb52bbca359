import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inOrder } from '#test/in-order.ts'
import { startReplicas, type Replicas } from '#test/replicas.ts'
import { connectTo, faultOfHosts, hostUrls } from './hosts.ts'
import { migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

// Two servers of their own: to create their files takes seconds on a busy machine.

describe('the hosts of a URL', () => {
  test.for([
    ['postgres://db/rapport', ['postgres://db/rapport']],
    ['postgres://u:p@a,b:5433/x', ['postgres://u:p@a/x', 'postgres://u:p@b:5433/x']],
    [
      'postgresql://[::1]:1,b:2/x?sslmode=disable',
      ['postgresql://[::1]:1/x?sslmode=disable', 'postgresql://b:2/x?sslmode=disable'],
    ],
    ['postgres://a,b/x?target_session_attrs=read-write', ['postgres://a/x', 'postgres://b/x']],
    ['postgres://a,b/x?target_session_attrs=primary&ssl=1', ['postgres://a/x?ssl=1', 'postgres://b/x?ssl=1']],
    ['postgres://a/x?ssl=1&target_session_attrs=read-write', ['postgres://a/x?ssl=1']],
    ['postgres://u@/x?host=/run/postgresql', ['postgres://u@/x?host=/run/postgresql']],
  ] as const)('%s', ([url, urls]) => {
    expect(hostUrls(url)).toEqual(urls)
    expect(faultOfHosts(url)).toBeUndefined()
  })

  test('that nothing could be written to are refused', () => {
    expect(faultOfHosts('postgres://a,b/x?target_session_attrs=any')).toMatch(/must be read-write, not any/)
    expect(faultOfHosts('postgres://a,b:port/x')).toMatch(/is not a URL/)
  })
})

describe('a primary and its standby', () => {
  inOrder()
  let replicas: Replicas
  let pool: Pool
  beforeAll(async () => {
    replicas = await startReplicas()
    await migrate(replicas.url, new URL('../../../migrations/', import.meta.url).pathname)
    await replicas.primary.query('create table things (n integer)')
    await replicas.primary.query('grant all on things to rapport_app')
    pool = openPool({ url: replicas.url, size: 4, onError: () => {} })
  })
  afterAll(async () => {
    await pool?.close()
    await replicas?.close()
  })

  const insert = (n: number) => pool.flush([{ text: `insert into things values (${n})`, values: [] }])
  const swapped = () => replicas.url.replace(/127[^,]*:(\d+),127[^/]*:(\d+)/, '127.0.0.1:$2,127.0.0.1:$1')

  test('are told apart, whichever is named first', async () => {
    const backwards = openPool({ url: swapped(), size: 2, onError: () => {} })
    onTestFinished(() => backwards.close())
    await backwards.flush([{ text: 'insert into things values (0)', values: [] }])
    const client = await connectTo(swapped())
    const { rows } = await client.query('select pg_is_in_recovery() as standby')
    await client.end()
    expect(rows).toEqual([{ standby: false }])
    expect(await replicas.standby.query('select n from things')).toEqual([{ n: 0 }])
  })

  test('a single host that is a standby is not used', async () => {
    const standby = openPool({ url: replicas.standby.url, size: 2, onError: () => {} })
    onTestFinished(() => standby.close())
    const read = standby.flush([{ text: 'select 1', values: [] }])
    await expect(read).rejects.toMatchObject({ code: 'database_unavailable' })
    await expect(connectTo(replicas.standby.url)).rejects.toThrow('is a standby')
  })

  test('a commit that did not wait for the standby is not acknowledged', async () => {
    await replicas.primary.query(`alter system set synchronous_standby_names = 'missing'`)
    await replicas.primary.query('select pg_reload_conf()')
    const cancelled = insert(1).then(
      () => 'acknowledged',
      error => error.code,
    )
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    await expect.poll(async () => (await replicas.primary.query(cancel)).length, { timeout: 10_000 }).toBe(1)
    expect(await cancelled).toBe('database_unavailable')
    await replicas.primary.query(`alter system set synchronous_standby_names = 'standby'`)
    await replicas.primary.query('select pg_reload_conf()')
    await insert(2)
  })

  test('the standby is used as soon as it is promoted, by connections that were open and by new ones', async () => {
    await Promise.all([insert(3), insert(4)])
    await replicas.primary.kill()
    await expect(insert(5)).rejects.toMatchObject({ code: 'database_unavailable' })
    await replicas.standby.promote()
    await expect.poll(() => insert(6).then(() => 'written', String), { timeout: 10_000 }).toBe('written')
    const rows = await replicas.standby.query<{ n: number }>('select n from things order by n')
    expect(rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 6])
    await (await connectTo(replicas.url)).end()
  })
})
