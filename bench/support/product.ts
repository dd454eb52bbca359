import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '#config'
import { giveBackMemory } from '#platform/memory.ts'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess } from '../../src/process.ts'

/** The product as it is, in a process of its own, with the rate limits off. */
const databaseUrl = process.env.BENCH_DATABASE_URL!
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
  DATABASE_POOL_SIZE: '20',
})
const sharded = process.env.BENCH_SHARDED === 'on'
const running = await startProcess({ config, databaseUrl, sharded, ports: openPorts(config) })
giveBackMemory()
await pause(2_000)
const memoryMiB = Math.round(process.memoryUsage().rss / 1024 / 1024)
process.send!({ url: running.url, headers: { authorization: `Bearer ${process.env.key}` }, memoryMiB })
