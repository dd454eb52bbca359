/** The product as a worker in a process of its own, for tests that kill it: calls are played, at the pace it is told. */
import { readConfig } from '#config'
import { openPorts } from '../../commands/ports.ts'
import { startProcess } from '../../process.ts'

const [databaseUrl, dataDir, paceMs] = process.argv.slice(2)
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  SCHEDULER: 'off',
  LOG_LEVEL: 'silent',
  DATABASE_POOL_SIZE: '6',
  SIMULATOR_PACE_MS: paceMs,
})
const running = await startProcess({
  config,
  databaseUrl: databaseUrl!,
  ports: openPorts(config),
  role: 'worker',
})
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
process.stdout.write('ready\n')
