import { readConfig } from '#config'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess } from '../../src/process.ts'

/** The product with a chain that is never asked: nothing listens there. */
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
  CHAIN_RPC_URL: 'http://127.0.0.1:9',
  CHAIN_NETWORK: 'eip155:8453',
  CHAIN_TOKEN: 'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  CHAIN_RECIPIENT: '0x00000000000000000000000000000000000000ee',
})
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: openPorts(config),
})
process.send!({ url: running.url, headers: { authorization: `Bearer ${process.env.key}` }, memoryMiB: 0 })
