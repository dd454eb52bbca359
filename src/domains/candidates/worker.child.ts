/** The product as a worker in a process of its own, for a test that kills it: it reads real sites. */
import { readConfig } from '#config'
import { openPorts } from '../../commands/ports.ts'
import { startProcess } from '../../process.ts'

const [databaseUrl, dataDir] = process.argv.slice(2)
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  OUTBOUND_ALLOW_HOSTS: 'localhost',
  SCHEDULER: 'off',
  LOG_LEVEL: 'silent',
  DATABASE_POOL_SIZE: '8',
})
await startProcess({ config, databaseUrl: databaseUrl!, ports: openPorts(config), role: 'worker' })
