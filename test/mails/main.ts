/**
 * Has every mail that the tests send judged by other people's programs: two that check signatures, one that reads mails strictly,
 * and SpamAssassin (docs/tests.md).
 *   npm run mails                       runs the tests first, which takes ten minutes
 *   npm run mails -- src/domains/forms  some of them
 *   npm run mails -- --in <folder>      keeps the mails there and uses them again
 */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import type { Mail } from '#platform/ports/mail.ts'
import { openSmtp } from '../../src/adapters/email/smtp.ts'
import { judges, type Key, type Sent, type Verdict } from './judges.ts'
import { readMails } from './recorder.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const { values: flags, positionals: tests } = parseArgs({
  options: { in: { type: 'string' } },
  allowPositionals: true,
})
const folder = flags.in ?? (await mkdtemp(join(tmpdir(), 'rapport-mails-')))
const recorded = join(folder, 'recorded')
if (!existsSync(recorded)) await recordTests()
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key: Key = { domain: 'example.com', selector: 'crm', publicKey: publicKey.toString('base64') }
const mails = await sendAll(readMails(recorded))
say(`${mails.length} mails, each built differently or with other words.`)
const isGood = judges.map(({ name, judge }) => report(name, judge(mails, key))).every(Boolean)
if (!flags.in && isGood) await rm(folder, { recursive: true, force: true })
else say(`The mails are in ${folder}.`)
process.exitCode = isGood && mails.length > 0 ? 0 : 1

async function recordTests(): Promise<void> {
  await mkdir(recorded, { recursive: true })
  const run = spawnSync('npm', ['test', '--', ...tests], {
    stdio: 'inherit',
    env: { ...process.env, TEST_MAILS: recorded },
  })
  if (run.status !== 0) say('Some tests failed: the mails that they would have sent are not judged.')
}

/** Through the adapter that sends them, signed, to a server that keeps what arrives. */
async function sendAll(all: readonly Mail[]): Promise<Sent[]> {
  const arrived: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    lenientAddressParsing: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        arrived.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const url = `smtp://127.0.0.1:${port}?maxConnections=1`
  const dkim = { domain: key.domain, selector: key.selector, privateKey }
  const mailer = openSmtp({ url, from: 'Rapport <crm@example.com>', dkim })
  const sent: Sent[] = []
  for (const [at, mail] of all.entries()) {
    await mailer.send(mail)
    const file = join(folder, `${at + 1}.eml`)
    const bytes = arrived.pop()!
    await writeFile(file, bytes)
    sent.push({ file, subject: mail.subject, bytes })
  }
  await mailer.close()
  await new Promise<void>(resolve => server.close(() => resolve()))
  return sent
}

function report(name: string, verdicts: readonly Verdict[] | undefined): boolean {
  if (!verdicts) {
    say(`${name}: not on this machine.`)
    return true
  }
  const faults = verdicts.flatMap(({ fault }, at) =>
    fault === null ? [] : [`✗ ${mails[at]!.file} “${mails[at]!.subject.slice(0, 60)}”: ${fault}`],
  )
  for (const line of faults) say(line)
  const scores = verdicts.flatMap(({ score }) => score ?? []).toSorted((a, b) => a - b)
  const middle =
    scores.length > 0 ? `, median score ${scores[scores.length >> 1]}, highest ${scores.at(-1)}` : ''
  say(`${name}: ${verdicts.length - faults.length} of ${verdicts.length} good${middle}.`)
  const rules = new Map<string, number>()
  for (const rule of verdicts.flatMap(({ because = [] }) => because))
    rules.set(rule, (rules.get(rule) ?? 0) + 1)
  for (const [rule, times] of [...rules].toSorted(([, a], [, b]) => b - a)) say(`  ${times} × ${rule}`)
  return faults.length === 0
}
