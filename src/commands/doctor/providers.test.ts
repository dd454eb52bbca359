import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#config'
import { freePort } from '#test/command-line.ts'
import { startIssuer, type Issuer } from '#test/issuer.ts'
import { line } from './finding.ts'
import { checkProviders } from './providers.ts'

let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

test('without providers the doctor says what turns them on, and finds nothing broken', async () => {
  const lines = await examine({})
  expect(lines).toEqual([
    expect.stringMatching(/^– sign-in .*GOOGLE_CLIENT_ID.*GITHUB_CLIENT_ID.*ENTRA_CLIENT_ID.*ENTRA_TENANT/),
    expect.stringMatching(/^– mail .*\/outbox, nobody receives them: set SMTP_URL/),
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
    SMTP_URL: `smtp://crm:secret@127.0.0.1:${port}`,
    EMAIL_FROM: 'crm@example.com',
  })
  expect(lines).toEqual([
    expect.stringMatching(/^✓ sign-in +Google answers/),
    expect.stringMatching(/^✗ sign-in +GitHub did not answer: .*ECONNREFUSED.*GITHUB_CLIENT_ID/),
    expect.stringMatching(/^✗ sign-in +Microsoft does not accept the client id and secret.*ENTRA_CLIENT_ID/),
    expect.stringMatching(/^✗ mail +127\.0\.0\.1:\d+: .*ECONNREFUSED.*SMTP_URL/),
  ])
  expect(lines.join()).not.toContain('secret@')
})

async function examine(env: Record<string, string>): Promise<string[]> {
  const secrets = {
    SESSION_SECRET: 'ab'.repeat(32),
    CRON_SECRET: 'x'.repeat(16),
    DATA_DIR: import.meta.dirname,
  }
  const lines = []
  for await (const finding of checkProviders(readConfig({ ...secrets, ...env }))) lines.push(line(finding))
  return lines
}
