import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#config'
import { freePort } from '#test/programs.ts'
import { startHttp } from '#test/http-server.ts'
import { startImapServer } from '#test/imap-server.ts'
import { startIssuer, type Issuer } from '#test/issuer.ts'
import { memoryDns } from '#test/ports.ts'
import { startS3 } from '#test/s3-server.ts'
import { checkDkim } from './dkim.ts'
import { line } from './finding.ts'
import { checkProviders } from './providers.ts'

const folder = await mkdtemp(join(tmpdir(), 'rapport-doctor-'))
let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(async () => {
  await issuer.close()
  await rm(folder, { recursive: true, force: true })
})

test('without providers the doctor says what turns them on, and finds nothing broken', async () => {
  const lines = await examine({})
  expect(lines).toEqual([
    expect.stringMatching(/^– sign-in .*GOOGLE_CLIENT_ID.*GITHUB_CLIENT_ID.*ENTRA_CLIENT_ID.*ENTRA_TENANT/),
    expect.stringMatching(/^– mail .*\/outbox and not delivered: set SMTP_URL/),
    expect.stringMatching(/^– replies +.*are not read: set IMAP_URL/),
    expect.stringMatching(/^– text messages +.*saved to .*\/outbox .*: set TWILIO_ACCOUNT_SID/),
    expect.stringMatching(/^– WhatsApp +.*saved to .*\/outbox .*: set WHATSAPP_TOKEN/),
    expect.stringMatching(/^– writer +rule-based: set OPENAI_API_KEY/),
    expect.stringMatching(/^– calls +simulated, no real calls: set OPENAI_API_KEY/),
    expect.stringMatching(/^– bank +not connected, .*\/bank\/ledger\.jsonl: set BANK_URL/),
    expect.stringMatching(/^✓ files +kept in .*\/files$/),
    expect.stringMatching(/^– chain +on-chain payments are off: set CHAIN_RPC_URL/),
  ])
})

test('a provider that answers is well, one with a wrong secret and one that is down are broken', async () => {
  const port = await freePort()
  const lines = await examine({
    GOOGLE_CLIENT_ID: issuer.credentials.clientId,
    GOOGLE_CLIENT_SECRET: issuer.credentials.clientSecret,
    GOOGLE_ISSUER: issuer.url,
    GITHUB_CLIENT_ID: 'x',
    GITHUB_CLIENT_SECRET: 'x',
    GITHUB_ISSUER: `http://127.0.0.1:${port}`,
    ENTRA_CLIENT_ID: issuer.credentials.clientId,
    ENTRA_CLIENT_SECRET: 'wrong',
    ENTRA_TENANT: '1b9e0c3a-5d1c-4a59-9a0e-3c6c7b1f2d10',
    ENTRA_ISSUER: issuer.url,
    SMTP_URL: `smtp://crm:canary@127.0.0.1:${port}`,
    EMAIL_FROM: 'crm@example.com',
    IMAP_URL: `imap://crm:canary@127.0.0.1:${port}/INBOX`,
    RESEND_API_KEY: 're_canary',
    RESEND_BASE_URL: `http://127.0.0.1:${port}`,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'canary',
    TWILIO_FROM: '+4930123456',
    TWILIO_BASE_URL: `http://127.0.0.1:${port}`,
    OPENAI_API_KEY: 'sk-canary',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    BANK_URL: `http://127.0.0.1:${port}`,
    BANK_TOKEN: 'canary',
    FILES_URL: 's3://rapport-files',
    AWS_ACCESS_KEY_ID: 'AKIA1',
    AWS_SECRET_ACCESS_KEY: 'canary',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    ...chainAt(`http://127.0.0.1:${port}/v2/canary`),
  })
  expect(lines).toEqual([
    expect.stringMatching(/^✓ sign-in +Google responds/),
    expect.stringMatching(/^✗ sign-in +GitHub did not answer: .*ECONNREFUSED.*GITHUB_CLIENT_ID/),
    expect.stringMatching(/^✗ sign-in +Microsoft rejected the client ID or secret.*ENTRA_CLIENT_ID/),
    expect.stringMatching(/^✗ mail +127\.0\.0\.1:\d+: .*ECONNREFUSED.*SMTP_URL/),
    expect.stringMatching(/^✗ replies +127\.0\.0\.1 cannot be read: .*ECONNREFUSED.*IMAP_URL/),
    expect.stringMatching(/^✗ delivery log +Resend did not answer: .*ECONNREFUSED.*RESEND_API_KEY/),
    expect.stringMatching(/^✗ text messages +Twilio did not answer: .*ECONNREFUSED.*TWILIO_ACCOUNT_SID/),
    expect.stringMatching(/^– WhatsApp +.*saved to .*\/outbox .*: set WHATSAPP_TOKEN/),
    expect.stringMatching(/^✗ writer +The model did not answer: .*ECONNREFUSED.*OPENAI_API_KEY/),
    expect.stringMatching(/^✗ calls +OpenAI did not answer: .*ECONNREFUSED.*OPENAI_API_KEY/),
    expect.stringMatching(/^✗ bank +The bank did not answer: .*ECONNREFUSED.*BANK_URL/),
    expect.stringMatching(/^✗ files +S3 did not answer: .*ECONNREFUSED.*FILES_URL.*rapport-files/),
    expect.stringMatching(/^✗ chain +127\.0\.0\.1:\d+ did not answer: .*ECONNREFUSED.*CHAIN_RPC_URL/),
  ])
  expect(lines.join()).not.toContain('canary')
})

test('providers of messages that answer are well, and one that does not know us is broken', async () => {
  const imap = await startImapServer()
  const s3 = await startS3()
  const provider = await startHttp(({ url, headers, body }) => {
    if (url.startsWith('/v1/models'))
      return { body: { data: [{ id: 'small' }] }, status: headers.authorization === 'Bearer k' ? 200 : 401 }
    if (url === '/chain') return { body: chainAnswer(body) }
    if (url === '/bank/invoices') return { status: headers.authorization === 'Bearer b' ? 405 : 401 }
    if (url.startsWith('/2010-04-01/Accounts/AC1.json')) return { body: { sid: 'AC1' } }
    return { status: 401, body: {} }
  })
  try {
    const lines = await examine({
      IMAP_URL: imap.url,
      RESEND_API_KEY: 're_canary',
      RESEND_BASE_URL: provider.url,
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'canary',
      TWILIO_FROM: '+4930123456',
      TWILIO_BASE_URL: provider.url,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_MODEL: 'small',
      OPENAI_SIP_URI: 'sip:proj_1@sip.api.openai.com;transport=tls',
      BANK_URL: `${provider.url}/bank`,
      BANK_TOKEN: 'b',
      FILES_URL: `s3://${s3.settings.bucket}`,
      AWS_ACCESS_KEY_ID: s3.settings.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      AWS_REGION: s3.settings.region,
      AWS_ENDPOINT_URL: s3.settings.endpointUrl,
      ...chainAt(`${provider.url}/chain`),
    })
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^✓ replies +127\.0\.0\.1:\d+ gives access to INBOX/),
      expect.stringMatching(/^✗ delivery log +Resend rejected the API key.*RESEND_API_KEY/),
      expect.stringMatching(/^✓ text messages +127\.0\.0\.1:\d+ accepts the account/),
      expect.stringMatching(/^– WhatsApp +.*saved to .*\/outbox .*: set WHATSAPP_TOKEN/),
      expect.stringMatching(/^✓ writer +127\.0\.0\.1:\d+ responds and has small/),
      expect.stringMatching(/^✓ calls +127\.0\.0\.1:\d+ and Twilio respond/),
      expect.stringMatching(/^✓ bank +127\.0\.0\.1:\d+ accepts the token/),
      expect.stringMatching(/^✓ files +the bucket rapport-files at 127\.0\.0\.1:\d+ can be written and read/),
      expect.stringMatching(/^✓ chain +127\.0\.0\.1:\d+ responds for eip155:8453 .*payments go to 0x5E11/),
    ])
    expect(lines.join()).not.toContain('canary')
  } finally {
    await Promise.all([imap.close(), provider.close(), s3.close()])
  }
})

describe('the signature of mails', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const dkim = {
    domain: 'example.com',
    selector: 'crm',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const key = 'crm._domainkey.example.com'
  const publishing = (records: string[] | undefined) => {
    const dns = memoryDns()
    dns.records.set(key, records)
    return dns
  }

  test('is well where the public key stands, also with blanks in it', async () => {
    const dns = publishing([
      'v=spf1 -all',
      `v=DKIM1; k=rsa; p=${published.slice(0, 100)} ${published.slice(100)}`,
    ])
    const finding = await checkDkim(dkim, dns)
    expect(line(finding)).toMatch(/^✓ signature +crm\._domainkey\.example\.com has the key/)
    expect(dns.asked).toEqual([key])
  })

  test('is broken where none or another stands, and the record to publish is told', async () => {
    const none = line(await checkDkim(dkim, memoryDns()))
    expect(none).toContain(`✗ signature`)
    expect(none).toContain(`"v=DKIM1; k=rsa; p=${published}" at crm._domainkey.example.com`)
    const other = line(await checkDkim(dkim, publishing(['v=DKIM1; p=abc'])))
    expect(other).toMatch(/^✗ signature .*has a different key: publish/)
    const down = line(await checkDkim(dkim, publishing(undefined)))
    expect(down).toMatch(/^✗ signature .*cannot be looked up: queryTxt ETIMEOUT/)
  })
})

function chainAt(url: string): Record<string, string> {
  return {
    CHAIN_RPC_URL: url,
    CHAIN_NETWORK: 'eip155:8453',
    CHAIN_TOKEN: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    CHAIN_RECIPIENT: '0x5E11E200000000000000000000000000000000ee',
  }
}

/** A node of that chain, with a token of six decimals. */
function chainAnswer(body: string): object {
  return { result: body.includes('eth_chainId') ? '0x2105' : `0x${'6'.padStart(64, '0')}` }
}

async function examine(env: Record<string, string>): Promise<string[]> {
  const secrets = {
    SESSION_SECRET: randomBytes(32).toString('hex'),
    CRON_SECRET: 'x'.repeat(16),
    DATA_DIR: folder,
  }
  const lines = []
  for await (const finding of checkProviders(readConfig({ ...secrets, ...env }))) lines.push(line(finding))
  return lines
}
