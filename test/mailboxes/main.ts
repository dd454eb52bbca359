/**
 * The laboratory of mailboxes: real processes read and send by real mail servers, are killed meanwhile, and what is there in the
 * end is compared with what came and what was written. See docs/tests.md.
 *   npm run chaos:mailboxes -- --seed 7
 */
import { parseArgs } from 'node:util'
import { findDovecot } from '#test/dovecot.ts'
import { bundleFolder } from '../run/bundle.ts'
import type { Findings } from './checker.ts'
import { openLaboratory } from './laboratory.ts'
import { receive } from './receiving.ts'
import { findingsTable, isBad } from './report.ts'
import { send } from './sending.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const HELP = `npm run chaos:mailboxes -- [--seed N] [--mails 100] [--mail-kills 20] [--replies 200] [--reply-kills 50] [--without-dovecot]
The same seed plans the same mails, replies and kills. With --mails 0 or --replies 0 that part is left out.`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    mails: { type: 'string', default: '100' },
    'mail-kills': { type: 'string', default: '20' },
    replies: { type: 'string', default: '200' },
    'reply-kills': { type: 'string', default: '50' },
    'without-dovecot': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const { help, 'without-dovecot': isWithout, ...texts } = values
if (help) {
  say(HELP)
  process.exit(0)
}
const numbers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
for (const [name, number] of Object.entries(numbers)) {
  if (Number.isInteger(number) && number >= 0) continue
  say(`--${name} takes a number.`)
  process.exit(2)
}
const { seed, mails, replies } = numbers as Record<'seed' | 'mails' | 'replies', number>
const began = performance.now()
const dovecot = isWithout ? undefined : findDovecot()
const laboratory = await openLaboratory({ seed, programs: bundleFolder, dovecot, say })
const server = dovecot ? 'Dovecot' : 'the IMAP server of the tests, which keeps no sent emails'
say(`Seed ${seed}, at ${server}. Logs: ${laboratory.cluster.folder}`)
const parts: Findings[] = []
try {
  if (mails > 0) parts.push(await receive(laboratory, { mails, kills: numbers['mail-kills']! }))
  if (replies > 0) parts.push(await send(laboratory, { replies, kills: numbers['reply-kills']! }))
} catch (error) {
  await laboratory.close({ keep: true })
  throw error
}
const bad = parts.some(isBad)
await laboratory.close({ keep: bad })
say(`\nSeed ${seed}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`)
for (const part of parts) say(findingsTable(part))
if (bad) say(`\nLogs and the database are in ${laboratory.cluster.folder}.`)
process.exit(bad ? 1 : 0)
