import { domains, type Domain } from '#app'
import { readConfig } from '#config'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess } from '../../src/process.ts'

/**
 * The product, and beside its own routes the same ones below /open with their doors taken out: answered to everybody for
 * one team, and nobody is looked up. Both are served by one process, so that nothing else differs.
 */
const team_id = process.env.team_id!
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
  DATABASE_POOL_SIZE: '20',
})
const leads = domains.find(({ name }) => name === 'leads')!
const open: Domain = {
  name: 'open',
  endpoints: Object.fromEntries(
    Object.entries(leads.endpoints).map(([name, endpoint]) => [
      name,
      { ...endpoint, path: `/open${endpoint.path}` as const, auth: 'open' as const },
    ]),
  ),
  api: Object.fromEntries(
    Object.entries(leads.api).map(([name, handle]) => [
      name,
      (ctx: Parameters<typeof handle>[0], input: Parameters<typeof handle>[1]) =>
        handle(ctx.forTeam(team_id), input),
    ]),
  ),
}
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: openPorts(config),
  domains: [...domains, open],
})
process.send!({ url: running.url, headers: {}, memoryMiB: 0 })
