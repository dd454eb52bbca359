import { readConfig } from '#config'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess, type Role } from '../../src/process.ts'

/** The product in one of its roles. */
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  VOICE_WEBHOOK_SECRET: process.env.secret,
  REALTIME_WEBHOOK_SECRET: process.env.secret,
  RATE_LIMIT: 'off',
  SCHEDULER: 'off',
  LOG_LEVEL: 'warn',
})
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: openPorts(config),
  role: process.env.role as Role,
})
process.send!({ url: running.url, headers: {}, memoryMiB: 0 })
