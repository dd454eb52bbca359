import { openLedger as openChaosLedger } from '../chaos/ledger.ts'
import { teamOf } from '../chaos/laboratory.ts'
import { openCluster, type Cluster } from '../chaos/cluster.ts'
import { IMAP_PASSWORD, IMAP_USER } from '#test/imap-server.ts'
import { openBrowser, type Browser } from './browser.ts'
import { openKiller, type Killer } from './kills.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { openBox, type Box } from './post-office.ts'
import { startPost, type Post } from './smtp.ts'

const WORKERS = 2
const CRON_SECRET = 'the cron secret of the laboratory of mailboxes'

export type LaboratoryOptions = {
  seed: number
  programs: (postgresUrl: string) => Promise<string>
  /** The program of a real mail server; without it, that of the tests serves, which keeps no sent emails. */
  dovecot?: string | undefined
  say?: (line: string) => void
}

/** A mailbox of the team, as the product knows it, and its server. */
export type OwnBox = Box & { id: string; address: string }
export const boxNames = ['support', 'sales', 'ada'] as const
export type BoxName = (typeof boxNames)[number]

/** A team with three mailboxes, served by real processes that can be killed. */
export type Laboratory = {
  seed: number
  cluster: Cluster
  ledger: Ledger
  post: Post
  killer: Killer
  browser: Browser
  boxes: Record<BoxName, OwnBox>
  team_id: string
  say(line: string): void
  /** Stores a file that much later, and runs the housekeeping as much later again. */
  tidyUp(laterMs: number): Promise<void>
  close(options: { keep: boolean }): Promise<void>
}

export async function openLaboratory({
  seed,
  programs,
  dovecot,
  say = () => {},
}: LaboratoryOptions): Promise<Laboratory> {
  const ledger = openLedger()
  const post = await startPost(ledger)
  const cluster = await openCluster({
    ledger: openChaosLedger(),
    seed,
    programs,
    smallDisk: false,
    hasShop: false,
    env: { OUTBOUND_ALLOW_HOSTS: '127.0.0.1 localhost', CRON_SECRET },
  })
  const opened: Box[] = []
  const close = async ({ keep }: { keep: boolean }) => {
    await cluster.stop({ keep })
    await post.close()
    await Promise.all(opened.map(box => box.close()))
  }
  try {
    await cluster.start('api')
    for (let n = 0; n < WORKERS; n++) await cluster.start('worker')
    await Promise.all(cluster.members.map(member => member.ready()))
    const url = () => `http://127.0.0.1:${apiOf(cluster).wires.api.port}`
    const browser = await openBrowser(
      url,
      await cluster.command('signin-link', '--email', 'ada@chaos.example.test'),
    )
    const open = async (name: BoxName, choices: object): Promise<OwnBox> => {
      const box = await openBox(dovecot)
      opened.push(box)
      const address = `${name}@team.example.test`
      const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none' })
      const login = {
        username: IMAP_USER,
        password: IMAP_PASSWORD,
        imap: server(box.port),
        smtp: server(post.port),
      }
      const { id } = await browser.post('/api/mailboxes', { address, import_days: 0, ...login, ...choices })
      return { ...box, id, address }
    }
    const boxes = {
      support: await open('support', { shared: true, is_default: true }),
      sales: await open('sales', { shared: true, creates_leads: true }),
      ada: await open('ada', { shared: false, visibility: 'owner' }),
    }
    const killer = await openKiller(cluster, post, ledger)
    return {
      seed,
      cluster,
      ledger,
      post,
      killer,
      browser,
      boxes,
      team_id: await teamOf(cluster, 'ada@chaos.example.test'),
      say,
      async tidyUp(laterMs) {
        const api = apiOf(cluster)
        api.shiftClock(laterMs)
        // What a kill has left half written goes with the next file that is stored; this one is unused itself.
        await browser.upload({ name: 'later.txt', bytes: Buffer.from('later') })
        api.shiftClock(2 * laterMs)
        const headers = { authorization: `Bearer ${CRON_SECRET}` }
        const answer = await fetch(`${url()}/api/cron/housekeeping`, { method: 'POST', headers })
        if (!answer.ok) throw new Error(`housekeeping was answered ${answer.status} ${await answer.text()}`)
        api.shiftClock(0)
      },
      async close(how) {
        await killer.close()
        await close(how)
      },
    }
  } catch (error) {
    await close({ keep: true })
    say(`The laboratory did not start with seed ${seed}; its logs are in ${cluster.folder}.`)
    throw error
  }
}

function apiOf({ members }: Cluster) {
  return members.find(({ role }) => role === 'api')!
}
