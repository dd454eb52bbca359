import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, unknownVariables } from '#config'
import { variables } from './variables.ts'

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
  PAYMENT_WEBHOOK_SECRET: 'whsec_cGF5bWVudA==',
  VOICE_WEBHOOK_SECRET: 'whsec_dm9pY2U=',
  EMAIL_WEBHOOK_SECRET: 'whsec_ZW1haWw=',
  REALTIME_WEBHOOK_SECRET: 'plain text is fine too'.replaceAll(' ', '-'),
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
    ['METRICS_TOKEN', 'k'.repeat(15)],
    ['SESSION_SECRET', 'short'],
    ['SESSION_SECRET', SECRET.slice(0, 62)],
    ['SESSION_SECRET', Buffer.alloc(31, 7).toString('base64')],
    ['SESSION_SECRET_PREVIOUS', 'short'],
    ['CRON_SECRET', 'fifteen-letters'],
    ['SCHEDULER', 'yes'],
    ['RATE_LIMIT', '0'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'mail.example.com'],
    ['EMAIL_FROM', 'a@example.com, b@example.com'],
    ['IMAP_URL', 'imap://crm:canary@mail.example.com/INBOX'],
    ['IMAP_URL', 'imaps://mail.example.com/INBOX'],
    ['IMAP_URL', 'imaps://crm@mail.example.com'],
    ['IMAP_URL', 'mail.example.com'],
    ['RESEND_BASE_URL', 'http://resend.example.com'],
    ['TWILIO_BASE_URL', 'twilio'],
    ['WHATSAPP_API_URL', 'http://graph.example.com'],
    ['OPENAI_BASE_URL', 'ftp://models.example.com'],
    ['OPENAI_SIP_URI', 'proj_1@sip.api.openai.com'],
    ['OPENAI_SIP_URI', 'sip:proj_1@sip.api.openai.com?X-Other=1'],
    ['OPENAI_SIP_URI', 'sip:proj_1@sip.api.openai.com</Sip>'],
    ['SIMULATOR_PACE_MS', '60001'],
    ['SIMULATOR_PACE_MS', '-1'],
  ]
  test.each(bad)('%s=%s', (name, value) => {
    const message = refusal({ [name]: value })
    expect(message.split('\n')).toHaveLength(1)
    expect(message).toMatch(new RegExp(`^${name} `))
    expect(message).not.toContain('canary')
  })
})

describe('of what belongs together', () => {
  const groups = [
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
    ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
    ['BANK_URL', 'BANK_TOKEN'],
    ['CHAIN_RPC_URL', 'CHAIN_NETWORK', 'CHAIN_TOKEN', 'CHAIN_RECIPIENT'],
  ]
  const cases = groups.flatMap(names => names.map(missing => ({ names, missing })))
  test.each(cases)('$missing alone is missing, and that is told', ({ names, missing }) => {
    const env = Object.fromEntries(names.filter(name => name !== missing).map(name => [name, 'canary']))
    const message = refusal(env)
    expect(message).toMatch(new RegExp(`^${Object.keys(env)[0]} is set, but ${missing} is not\\.$`))
  })

  test('a model without its key is told as well', () => {
    expect(refusal({ OPENAI_MODEL: 'small' })).toMatch(/^OPENAI_MODEL is set, but OPENAI_API_KEY is not/)
    expect(refusal({ OPENAI_BASE_URL: 'https://models.example.com/v1' })).toMatch(
      /^OPENAI_BASE_URL is set, but OPENAI_API_KEY is not/,
    )
    expect(refusal({ OPENAI_SIP_URI: 'sip:proj_1@sip.api.openai.com;transport=tls' })).toMatch(
      /^OPENAI_SIP_URI is set, but OPENAI_API_KEY is not/,
    )
  })
})

describe('the key that signs mails', () => {
  const pem = (type: 'rsa' | 'ed25519', bits = 1_024) => {
    const { privateKey } =
      type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync('ed25519')
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  const dkim = (DKIM_PRIVATE_KEY: string, more: Record<string, string> = {}) => ({
    DKIM_DOMAIN: 'Example.com',
    DKIM_SELECTOR: 'crm2026',
    DKIM_PRIVATE_KEY,
    ...more,
  })

  test('is written in lines, in one line, or in a file', () => {
    const key = pem('rsa')
    const file = join(dataDir, 'dkim.pem')
    writeFileSync(file, key)
    for (const text of [key, key.replaceAll('\n', '\\n'), `file:${file}`, `file://${file}`])
      expect(readConfig({ DATA_DIR: dataDir, ...dkim(text) }).dkim).toEqual({
        domain: 'example.com',
        selector: 'crm2026',
        privateKey: key,
      })
  })

  test.each([
    ['no key', 'canary', /is not a private key/],
    ['a key cut short', pem('rsa').slice(0, 200), /is not a private key/],
    ['another kind of key', pem('ed25519'), /must be an RSA key of 1024 bits/],
    ['a short key', pem('rsa', 1_016), /must be an RSA key of 1024 bits/],
    ['no file', 'file:/nonexistent/dkim.pem', /cannot be read: ENOENT/],
  ])('%s is refused, and nothing of it is repeated', (_name, text, message) => {
    const told = refusal(dkim(text))
    expect(told).toMatch(/^DKIM_PRIVATE_KEY /)
    expect(told).toMatch(message)
    expect(told.split('\n')).toHaveLength(1)
    expect(told).not.toMatch(/canary|BEGIN|MII/)
  })

  test.each([
    ['DKIM_DOMAIN', 'localhost'],
    ['DKIM_DOMAIN', 'example.com; x=1'],
    ['DKIM_SELECTOR', 'a b'],
    ['DKIM_SELECTOR', '-'],
  ])('%s=%s is refused', (name, value) => {
    expect(refusal(dkim(pem('rsa'), { [name]: value }))).toMatch(new RegExp(`^${name} must be`))
  })
})

describe('providers of messages', () => {
  test('are off with nothing set', () => {
    expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
      smtpUrl: undefined,
      dkim: undefined,
      imapUrl: undefined,
      resend: undefined,
      twilio: undefined,
      twilioAuthToken: undefined,
      whatsapp: undefined,
      openai: undefined,
      openaiSipUri: undefined,
      simulatorPaceMs: 1_500,
      bank: undefined,
      chain: undefined,
      s3: undefined,
    })
  })

  test('are at their own addresses unless told', () => {
    const env = {
      DATA_DIR: dataDir,
      RESEND_API_KEY: 're_1',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+4930123456',
      WHATSAPP_TOKEN: 'EAA1',
      WHATSAPP_PHONE_NUMBER_ID: '10555',
      WHATSAPP_APP_SECRET: 'secret',
      WHATSAPP_VERIFY_TOKEN: 'verify',
      OPENAI_API_KEY: 'sk-1',
      OPENAI_SIP_URI: 'sip:proj_1@sip.api.openai.com;transport=tls',
      IMAP_URL: 'imaps://crm%40example.com:p%3Aw@mail.example.com/Replies',
    }
    expect(readConfig(env)).toMatchObject({
      resend: { apiKey: 're_1', baseUrl: 'https://api.resend.com' },
      twilio: {
        accountSid: 'AC1',
        authToken: 'token',
        from: '+4930123456',
        baseUrl: 'https://api.twilio.com',
      },
      twilioAuthToken: 'token',
      whatsapp: {
        token: 'EAA1',
        phoneNumberId: '10555',
        appSecret: 'secret',
        verifyToken: 'verify',
        businessAccountId: undefined,
        apiUrl: 'https://graph.facebook.com/v24.0',
      },
      openai: { apiKey: 'sk-1', baseUrl: 'https://api.openai.com/v1', model: 'gpt-4.1-mini' },
      openaiSipUri: env.OPENAI_SIP_URI,
      imapUrl: env.IMAP_URL,
    })
    const other = { OPENAI_BASE_URL: 'http://models:11434/v1', OPENAI_MODEL: 'small' }
    expect(refusal({ ...env, ...other })).toMatch(/^OPENAI_BASE_URL must be an https URL/)
    expect(readConfig({ ...env, ...other, OUTBOUND_ALLOW_HOSTS: 'models' }).openai).toEqual({
      apiKey: 'sk-1',
      baseUrl: 'http://models:11434/v1',
      model: 'small',
    })
  })

  test('a bank is called in the clear only on this machine, or where it is named as one of ours', () => {
    const env = { DATA_DIR: dataDir, BANK_TOKEN: 'canary', BANK_URL: 'http://bank:8080/v1' }
    expect(refusal(env)).toMatch(/^BANK_URL must be an https URL/)
    expect(refusal(env)).not.toContain('canary')
    const bank = { url: 'http://bank:8080/v1', token: 'canary' }
    expect(readConfig({ ...env, OUTBOUND_ALLOW_HOSTS: 'bank' }).bank).toEqual(bank)
  })

  describe('files are kept in a bucket', () => {
    const env = {
      FILES_URL: 's3://rapport-files/crm/one',
      AWS_ACCESS_KEY_ID: 'AKIA1',
      AWS_SECRET_ACCESS_KEY: 'canary',
    }
    const s3 = {
      bucket: 'rapport-files',
      prefix: 'crm/one',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'canary',
      region: 'us-east-1',
      endpointUrl: 'https://s3.us-east-1.amazonaws.com',
    }
    const read = (more: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env, ...more }).s3

    test('of AWS, or of another service', () => {
      expect(read({})).toEqual(s3)
      expect(read({ FILES_URL: 's3://rapport-files/' })).toEqual({ ...s3, prefix: '' })
      const region = 'eu-central-1'
      const endpointUrl = `https://s3.${region}.amazonaws.com`
      expect(read({ AWS_REGION: region })).toEqual({ ...s3, region, endpointUrl })
      const AWS_ENDPOINT_URL = 'http://minio:9000'
      expect(refusal({ ...env, AWS_ENDPOINT_URL })).toMatch(/^AWS_ENDPOINT_URL must be an https URL/)
      expect(read({ AWS_ENDPOINT_URL, OUTBOUND_ALLOW_HOSTS: 'minio' })?.endpointUrl).toBe(AWS_ENDPOINT_URL)
    })

    test('and without FILES_URL the variables of AWS are those of other programs', () => {
      const { FILES_URL: _, ...others } = env
      expect(readConfig({ DATA_DIR: dataDir, ...others, AWS_ENDPOINT_URL: 'ftp://x' }).s3).toBeUndefined()
    })

    test.each([
      ['FILES_URL', 'rapport-files'],
      ['FILES_URL', 'https://bucket/x'],
      ['FILES_URL', 's3://'],
      ['FILES_URL', 's3://x'],
      ['FILES_URL', 's3://Upper-Case'],
      ['FILES_URL', 's3://bucket/../other'],
      ['FILES_URL', 's3://bucket//x'],
      ['FILES_URL', 's3://bucket/a b'],
      ['FILES_URL', 's3://user:canary@bucket'],
      ['AWS_REGION', 'eu/central'],
      ['AWS_ENDPOINT_URL', 'https://user:canary@minio.example.com'],
      ['AWS_ENDPOINT_URL', 'https://minio.example.com/?canary'],
      ['AWS_ACCESS_KEY_ID', ''],
      ['AWS_SECRET_ACCESS_KEY', ''],
    ])('%s=%s is refused', (name, value) => {
      const told = refusal({ ...env, [name]: value })
      expect(told).toContain(name)
      expect(told).not.toContain('canary')
    })
  })

  test('a chain is named by its nodes, its id, a token of its own and a wallet', () => {
    const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const recipient = '0x5E11E200000000000000000000000000000000ee'
    const env = {
      DATA_DIR: dataDir,
      CHAIN_RPC_URL: 'https://one.example/canary  https://two.example',
      CHAIN_NETWORK: 'eip155:8453',
      CHAIN_TOKEN: token,
      CHAIN_RECIPIENT: recipient,
    }
    const chain = {
      rpcUrls: ['https://one.example/canary', 'https://two.example'],
      network: 'eip155:8453',
      token: `eip155:8453/erc20:${token}`,
      recipient,
      decimals: 6,
      confirmations: 3,
      currency: 'USD',
    }
    expect(readConfig(env).chain).toEqual(chain)
    expect(readConfig({ ...env, CHAIN_TOKEN: chain.token }).chain).toEqual(chain)
    const more = { CHAIN_DECIMALS: '18', CHAIN_CONFIRMATIONS: '12', CHAIN_CURRENCY: 'EUR' }
    expect(readConfig({ ...env, ...more }).chain).toMatchObject({
      decimals: 18,
      confirmations: 12,
      currency: 'EUR',
    })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ CHAIN_RPC_URL: 'http://far.example/canary' }, /^CHAIN_RPC_URL must be https URLs/],
      [{ CHAIN_RPC_URL: 'https://one.example not-an-address' }, /^CHAIN_RPC_URL must be https URLs/],
      [{ CHAIN_NETWORK: '8453' }, /^CHAIN_NETWORK must be like eip155:8453/],
      [{ CHAIN_TOKEN: 'USDC' }, /^CHAIN_TOKEN must be like/],
      [{ CHAIN_TOKEN: `eip155:1/erc20:${token}` }, /^CHAIN_TOKEN is on eip155:1, but/],
      [{ CHAIN_RECIPIENT: `${recipient}0` }, /^CHAIN_RECIPIENT must be the address/],
      [{ CHAIN_RECIPIENT: `0x${'0'.repeat(40)}` }, /^CHAIN_RECIPIENT must be the address/],
      [{ CHAIN_CONFIRMATIONS: '0' }, /^CHAIN_CONFIRMATIONS must be a whole number from 1/],
      [{ CHAIN_DECIMALS: '6.5' }, /^CHAIN_DECIMALS must be a whole number/],
      [{ CHAIN_CURRENCY: 'usd' }, /^CHAIN_CURRENCY must be three capital letters/],
    ]
    for (const [change, reason] of wrong) {
      expect(refusal({ ...env, ...change })).toMatch(reason)
      expect(refusal({ ...env, ...change })).not.toContain('canary')
    }
    expect(refusal({ DATA_DIR: dataDir, CHAIN_CURRENCY: 'EUR' })).toMatch(/but CHAIN_RPC_URL is not/)
  })

  test('a mailbox in the clear is one of this machine', () => {
    const local = 'imap://crm:secret@127.0.0.1:1143/INBOX'
    expect(readConfig({ DATA_DIR: dataDir, IMAP_URL: local }).imapUrl).toBe(local)
  })

  test.each(['0', '101', 'many', '-1', '1.5'])('a mail server gets no %s connections', number => {
    const smtp = { SMTP_URL: `smtp://127.0.0.1?maxConnections=${number}`, EMAIL_FROM: 'crm@example.com' }
    expect(refusal(smtp)).toMatch(/^SMTP_URL: maxConnections must be a whole number from 1 to 100/)
  })

  test('WhatsApp needs all that it is trusted by, and IDs that are numbers', () => {
    const env = {
      WHATSAPP_TOKEN: 'EAA1',
      WHATSAPP_PHONE_NUMBER_ID: '10555',
      WHATSAPP_APP_SECRET: 's',
      WHATSAPP_VERIFY_TOKEN: 'v',
    }
    for (const name of Object.keys(env)) expect(refusal({ ...env, [name]: '' })).toContain(`${name} is not`)
    expect(refusal({ ...env, WHATSAPP_PHONE_NUMBER_ID: '+49301' })).toContain('must be digits only')
    expect(refusal({ WHATSAPP_BUSINESS_ACCOUNT_ID: '77777' })).toContain('WHATSAPP_TOKEN is not')
  })

  test.each(['+4930123456', 'Rapport', 'Acme 24', '12345', `MG${'0'.repeat(32)}`])(
    '%s may send text messages',
    from => {
      const env = { DATA_DIR: dataDir, TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: from }
      expect(readConfig(env).twilio?.from).toBe(from)
    },
  )
  test.each(['030 123456', 'A name too long', '+0123', 'Äcme'])('%s may not', from => {
    const env = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: from }
    expect(refusal(env)).toMatch(/^TWILIO_FROM must be/)
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

/** Sixteen bytes, each of them twice: four bits for each of 32 bytes. */
const TWICE_EACH = Array.from({ length: 16 }, (_, at) => `0${at.toString(16)}`.repeat(2)).join('')

test.each([
  ['one character', 'a'.repeat(64)],
  ['two by turns', 'ab'.repeat(32)],
  ['the digits again and again', '0123456789'.repeat(7).slice(0, 64)],
  ['all hex digits again and again', '0123456789abcdef'.repeat(4)],
  ['a byte in base64', Buffer.alloc(32, 7).toString('base64')],
  ['a word in base64', Buffer.from('password'.repeat(5)).toString('base64')],
  ['half of one, twice', SECRET.slice(0, 32).repeat(2)],
  ['nearly all zeros', `${'0'.repeat(62)}ff`],
  ['just less than 128 bits', TWICE_EACH.replace(/^0000/, '0001')],
])('a session secret that is easy to guess is refused: %s', (_, secret) => {
  expect(refusal({ SESSION_SECRET: secret })).toMatch(
    /^SESSION_SECRET is too predictable.* Generate one with: openssl rand -hex 32/,
  )
})

test('a session secret of 128 bits will do, and every random one does', () => {
  expect(readConfig({ ...production, SESSION_SECRET: TWICE_EACH }).sessionSecrets).toHaveLength(1)
  for (let round = 0; round < 200; round++)
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      readConfig({ ...production, SESSION_SECRET: randomBytes(32).toString(encoding) })
})

test('while rotating, the new secret comes first and the old one still opens, however weak', () => {
  const old = Buffer.alloc(32, 9)
  const { sessionSecrets } = readConfig({ ...production, SESSION_SECRET_PREVIOUS: old.toString('hex') })
  expect(sessionSecrets).toEqual([Buffer.from(SECRET, 'hex'), old])
})

describe('production', () => {
  const secrets = [
    'SESSION_SECRET',
    'CRON_SECRET',
    'PAYMENT_WEBHOOK_SECRET',
    'VOICE_WEBHOOK_SECRET',
    'EMAIL_WEBHOOK_SECRET',
    'REALTIME_WEBHOOK_SECRET',
  ]
  test.each(secrets)('demands %s instead of making one', name => {
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

describe('the secrets of webhooks', () => {
  test('make themselves in development, each its own, and stay', () => {
    const { webhookKeys } = readConfig({ DATA_DIR: dataDir })
    const texts = Object.values(webhookKeys).flatMap(keys => keys.map(key => key.export().toString('hex')))
    expect(new Set(texts).size).toBe(4)
    const again = readConfig({ DATA_DIR: dataDir }).webhookKeys
    expect(again.voice[0]!.equals(webhookKeys.voice[0]!)).toBe(true)
  })
  test('may be several while rotating, and the realtime provider has a second one', () => {
    const { webhookKeys } = readConfig({
      ...production,
      VOICE_WEBHOOK_SECRET: 'whsec_bmV3 old',
      REALTIME_WEBHOOK_SECRET_2: 'another',
    })
    expect(webhookKeys.voice.map(key => key.export().toString())).toEqual(['new', 'old'])
    expect(webhookKeys.realtime).toHaveLength(2)
  })
  test.each(['whsec_', 'whsec_ü', 'whsec_a'])('%s is refused', VOICE_WEBHOOK_SECRET => {
    expect(refusal({ ...production, VOICE_WEBHOOK_SECRET })).toMatch(/^VOICE_WEBHOOK_SECRET: .*base64/)
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

test('credits of a month and the length of a trial are whole numbers within limits, and without one there are no trials', () => {
  const read = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env })
  expect(read({})).toMatchObject({ creditsMonthly: 100, trialDays: undefined })
  expect(read({ CREDITS_MONTHLY: '0', TRIAL_DAYS: '1' })).toMatchObject({ creditsMonthly: 0, trialDays: 1 })
  const most = { CREDITS_MONTHLY: '1000000000', TRIAL_DAYS: '3650' }
  expect(read(most)).toMatchObject({ creditsMonthly: 1_000_000_000, trialDays: 3_650 })
  const team = 'ab'.repeat(12)
  expect(read({}).phoneNumbers).toEqual(new Map())
  expect(read({ PHONE_NUMBERS: 'any' }).phoneNumbers).toBe('any')
  expect(read({ PHONE_NUMBERS: `+49-30-123456=${team} +4930123457=${team}` }).phoneNumbers).toEqual(
    new Map([
      ['+4930123456', team],
      ['+4930123457', team],
    ]),
  )
  for (const PHONE_NUMBERS of ['all', `+4930123456`, `030123456=${team}`, `+4930123456=ab`])
    expect(refusal({ PHONE_NUMBERS })).toMatch(/^PHONE_NUMBERS must be any, or entries like/)
  expect(refusal({ PHONE_NUMBERS: `+4930123456=${team} +49 30123456=${team}` })).toMatch(/^PHONE_NUMBERS/)
  for (const CREDITS_MONTHLY of ['-1', '1.5', 'many', '1000000001'])
    expect(refusal({ CREDITS_MONTHLY })).toMatch(
      /^CREDITS_MONTHLY must be a whole number from 0 to 1000000000/,
    )
  for (const TRIAL_DAYS of ['0', '3651', 'off'])
    expect(refusal({ TRIAL_DAYS })).toMatch(/^TRIAL_DAYS must be a whole number from 1 to 3650/)
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
