import { domains, type Domain } from '#app'
import { readConfig } from '#config'
import { onInbound } from '#domains/webhooks/effects.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { openPorts } from '../../src/commands/ports.ts'
import { startProcess, type Role } from '../../src/process.ts'

/** The product in one of its roles; with `effects` a part of it queues something for later whenever a call has ended. */
const FOLLOW_UP_MS = 2 * 86_400_000
const calls: Domain = {
  name: 'calls',
  endpoints: {},
  api: {},
  reactions: [
    onInbound('call_ended', 'calls.follow_up', async (ctx, { data }) => {
      enqueue(ctx, { kind: 'calls.follow_up', data: data.data, run_at: ctx.in(FOLLOW_UP_MS) })
      return { matched: true }
    }),
  ],
}
const config = readConfig({
  PORT: '0',
  DATA_DIR: process.env.DATA_DIR,
  VOICE_WEBHOOK_SECRET: process.env.secret,
  RATE_LIMIT: 'off',
  SCHEDULER: 'off',
  LOG_LEVEL: 'warn',
})
const running = await startProcess({
  config,
  databaseUrl: process.env.BENCH_DATABASE_URL!,
  ports: openPorts(config),
  role: process.env.role as Role,
  domains: process.env.effects === 'on' ? [...domains, calls] : domains,
})
process.send!({ url: running.url, headers: {}, memoryMiB: 0 })
