/**
 * Whether a form that strangers fill in a hundred times a second slows down those who work in the CRM: the time of a list
 * of leads and of one lead, with and without that load, in turns. Run it with `npm run bench:forms`.
 */
import { fillLeads } from './support/leads.ts'
import { median, onStage, percentile, type Target } from './support/stage.ts'
import { steady } from './support/steady.ts'

const LEADS = 100_000
const SUBMISSIONS_PER_S = 100
const CRM_PER_S = 100
const ROUNDS = 5
const ROUND_S = 6
const P99_RATIO_MAX = 2

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { key } = await fillLeads(databaseUrl, LEADS)
  const product = await serve('product', { key })
  const headers = { ...product.headers, 'content-type': 'application/json' }
  const send = async (path: string, body: object) =>
    (await fetch(product.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const form = (await send('/api/crm/forms', {
    name: 'Contact',
    fields: [
      { key: 'name', type: 'text', label: 'Name', required: true },
      { key: 'email', type: 'email', label: 'E-mail', required: true },
      { key: 'message', type: 'long_text', label: 'Message' },
    ],
    field_mapping: { name: 'first_name', email: 'email' },
    notify: ['sales@example.test'],
    published: true,
  })) as { id: string }
  console.log(
    `${LEADS} leads, ${SUBMISSIONS_PER_S} submissions/s, ${ROUNDS} rounds of ${ROUND_S} s in turns\n`,
  )

  const received = async () => {
    const reply = await fetch(`${product.url}/api/crm/forms/${form.id}`, { headers })
    return ((await reply.json()) as { submissions: { received: number } }).submissions.received
  }

  await crm(product, 2)
  const rounds: { idle: number; busy: number; taken: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await crm(product, ROUND_S)
    const strangers = await serve('submitter', {
      url: product.url,
      form: form.id,
      per_second: String(SUBMISSIONS_PER_S),
    })
    const before = await received()
    const busy = await crm(product, ROUND_S)
    const taken = ((await received()) - before) / ROUND_S
    strangers.child.kill('SIGKILL')
    rounds.push({ idle, busy, taken })
  }
  const middle = (of: 'idle' | 'busy' | 'taken') => median(rounds.map(round => round[of]))
  const ratio = median(rounds.map(({ idle, busy }) => busy / idle))
  console.log(
    `CRM p99 ${middle('idle').toFixed(1)} ms idle, ${middle('busy').toFixed(1)} ms beside the submissions`,
  )
  judge('submissions/s', middle('taken').toFixed(0), middle('taken') >= 95, `about ${SUBMISSIONS_PER_S}`)
  judge('p99 ratio', ratio.toFixed(2), ratio <= P99_RATIO_MAX, `at most ${P99_RATIO_MAX}`)
})

/** The p99 of what a person looks at. */
async function crm({ url, headers }: Target, seconds: number): Promise<number> {
  const load = { perSecond: CRM_PER_S, seconds }
  return percentile(
    await steady(url, load, () => ({ method: 'GET', path: '/api/crm/leads?limit=50', headers })),
    99,
  )
}
