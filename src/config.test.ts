import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, unknownVariables, variables } from '#config'

const dataDir = mkdtempSync(join(tmpdir(), 'rapport-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const SECRET = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('hex')
const production = {
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  BASE_URL: 'https://crm.example.com',
  DATABASE_URL: 'postgres://rapport@db.example.com/rapport',
  SESSION_SECRET: SECRET,
  CRON_SECRET: 'a-bearer-for-the-job-routes',
}

/** The message a start would end with. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig({ DATA_DIR: dataDir, ...env })
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

test('with nothing set, it runs for development on this machine', () => {
  expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    baseUrl: 'http://127.0.0.1:3000',
    databaseUrl: undefined,
    production: false,
    scheduler: true,
    rateLimit: true,
  })
})

test('generated secrets stay the same, and only their owner reads them', () => {
  const first = readConfig({ DATA_DIR: dataDir })
  const second = readConfig({ DATA_DIR: dataDir })
  expect(second.sessionSecrets).toEqual(first.sessionSecrets)
  expect(second.cronSecret).toBe(first.cronSecret)
  expect(first.sessionSecrets[0]).toHaveLength(32)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('a broken secrets file stops the start and names the file', () => {
  const folder = mkdtempSync(join(dataDir, 'broken-'))
  writeFileSync(join(folder, 'secrets.json'), '{ half')
  expect(refusal({ DATA_DIR: folder })).toContain('secrets.json')
})

describe('a bad value stops the start with one line that names the variable', () => {
  const bad: [string, string][] = [
    ['NODE_ENV', 'prod'],
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['BASE_URL', 'crm.example.com'],
    ['BASE_URL', 'ftp://crm.example.com'],
    ['BASE_URL', 'https://crm.example.com/app'],
    ['DATABASE_URL', 'mysql://db.example.com/rapport'],
    ['DATABASE_POOL_SIZE', '1'],
    ['DATABASE_POOL_SIZE', 'many'],
    ['SESSION_SECRET', 'short'],
    ['SESSION_SECRET', SECRET.slice(0, 62)],
    ['SESSION_SECRET', Buffer.alloc(31, 7).toString('base64')],
    ['SESSION_SECRET_PREVIOUS', 'short'],
    ['CRON_SECRET', 'fifteen-letters'],
    ['SCHEDULER', 'yes'],
    ['RATE_LIMIT', '0'],
    ['LOG_LEVEL', 'loud'],
  ]
  test.each(bad)('%s=%s', (name, value) => {
    const message = refusal({ [name]: value })
    expect(message.split('\n')).toHaveLength(1)
    expect(message).toMatch(new RegExp(`^${name} `))
  })
})

test('a session secret is 32 bytes or more, in hex or base64, and is never repeated in a message', () => {
  expect(readConfig({ ...production }).sessionSecrets).toEqual([Buffer.from(SECRET, 'hex')])
  const base64 = Buffer.from(SECRET, 'hex').toString('base64')
  expect(readConfig({ ...production, SESSION_SECRET: base64 }).sessionSecrets).toEqual([
    Buffer.from(SECRET, 'hex'),
  ])
  expect(refusal({ SESSION_SECRET: 'canary-secret' })).not.toContain('canary')
  expect(refusal({ CRON_SECRET: 'canary-secret' })).not.toContain('canary')
})

test('while rotating, the new secret comes first and the old one still opens', () => {
  const old = Buffer.alloc(32, 9)
  const { sessionSecrets } = readConfig({ ...production, SESSION_SECRET_PREVIOUS: old.toString('hex') })
  expect(sessionSecrets).toEqual([Buffer.from(SECRET, 'hex'), old])
})

describe('production', () => {
  test.each(['SESSION_SECRET', 'CRON_SECRET'])('demands %s instead of making one', name => {
    expect(refusal({ ...production, [name]: '' })).toMatch(new RegExp(`^${name} is not set`))
  })
  test('demands https, on this machine too', () => {
    expect(refusal({ ...production, BASE_URL: 'http://crm.example.com' })).toMatch(/^BASE_URL must be https/)
    expect(refusal({ ...production, BASE_URL: '' })).toMatch(/^BASE_URL must be https/)
  })
  test('accepts a whole configuration', () => {
    expect(readConfig(production)).toMatchObject({ production: true, baseUrl: 'https://crm.example.com' })
  })
})

test('a name that begins with RAPPORT_ and is not known is reported; other names are nobody’s business', () => {
  expect(unknownVariables({ RAPPORT_PROT: '3000', PORT: '3000', PATH: '/bin' })).toEqual(['RAPPORT_PROT'])
})

test('.env.example lists every variable (renew it with: npx vitest run src/config.test.ts -u)', async () => {
  await expect(envExample()).toMatchFileSnapshot('../.env.example')
})

test('every variable that is read is listed, and every one that is listed is read', () => {
  const read = new Set<string>()
  const spy = new Proxy<Record<string, string | undefined>>(
    { ...production },
    {
      get: (env, name: string) => {
        read.add(name)
        return env[name]
      },
    },
  )
  readConfig(spy)
  expect([...read].toSorted()).toEqual(variables.map(variable => variable.name).toSorted())
})

function envExample(): string {
  const head = [
    '# Everything that can be configured. Rapport reads the environment; nothing has to be set for development.',
    '# `rapport doctor` checks what is set.',
  ]
  const entries = variables.map(
    ({ name, meaning, default: unset }) => `# ${meaning} (${describeDefault(unset)})\n#${name}=`,
  )
  return `${head.join('\n')}\n\n${entries.join('\n\n')}\n`
}

function describeDefault(text: string): string {
  return /^(unset|generated)/.test(text) ? text : `default: ${text}`
}
