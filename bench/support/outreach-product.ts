import { readConfig } from '#config'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess, type Role } from '../../src/process.ts'

/** The product in one of its roles; without a sink, mails go nowhere at once. */
const { sink } = process.env
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  RATE_LIMIT: 'off',
  SCHEDULER: 'off',
  LOG_LEVEL: 'warn',
  CRON_SECRET: process.env.secret,
  ...(sink && { SMTP_URL: sink, EMAIL_FROM: 'Rapport <crm@example.com>' }),
})
const ports = openPorts(config)
const nowhere = { ...ports.mail, lanes: 10, send: async () => ({ refused: [] }) }
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: sink ? ports : { ...ports, mail: nowhere },
  role: process.env.role as Role,
})
process.send!({ url: running.url, headers: {}, memoryMiB: 0 })
