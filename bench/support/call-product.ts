import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openSimulator, steadyPace } from '#adapters/voice/simulator.ts'
import { readConfig } from '#config'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess } from '../../src/process.ts'

/** The product as it is, in one process, with calls that are played; asked for it, it tells what memory it takes. */
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  VOICE_WEBHOOK_SECRET: process.env.secret,
  RATE_LIMIT: 'off',
  SCHEDULER: 'off',
  LOG_LEVEL: 'warn',
  DATABASE_POOL_SIZE: '20',
})
const voice = openSimulator({ pace: steadyPace(Number(process.env.pace_ms)) })
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: { ...openPorts(config), voice },
})
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('message', word => {
  // It stops everything else for a moment, so that it is not done while something is measured.
  if (word === 'collected') collect()
  const { rss, heapUsed } = process.memoryUsage()
  process.send!({ rss, heapUsed, live: voice.live() })
})
process.send!({ url: running.url, headers: { authorization: `Bearer ${process.env.key}` }, memoryMiB: 0 })
