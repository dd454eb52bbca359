/** The product as a worker in a process of its own, for tests that kill it. */
import { readConfig } from '#config'
import { openPorts } from '../../commands/ports.ts'
import { startProcess } from '../../process.ts'

const [databaseUrl, dataDir, aheadMs = '0', more = '{}'] = process.argv.slice(2)
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  SCHEDULER: 'off',
  LOG_LEVEL: 'silent',
  DATABASE_POOL_SIZE: '8',
  ...(JSON.parse(more) as Record<string, string>),
})
await startProcess({
  config,
  databaseUrl: databaseUrl!,
  ports: openPorts(config),
  role: 'worker',
  clock: { now: () => Date.now() + Number(aheadMs) },
})
process.stdout.write('ready\n')
