import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, DatabaseNode } from './cluster.ts'
import type { Member, Role } from './member.ts'
import { oneOf, type PlannedFault } from './schedule.ts'
import type { Wire } from './wire.ts'

const QUERY_TRIES = 20
const QUERY_PAUSE_MS = 100

/** What became of a planned fault: what was done, or why it could not be. */
export type Outcome = { fault: PlannedFault; at: number; done?: string; skipped?: string }

/** Carries out the faults of a plan, and takes back what lasts. */
export class Faults {
  readonly outcomes: Outcome[] = []
  /** Ends of processes that were asked to stop with anything but 0. */
  readonly unclean: string[] = []
  private readonly cluster: Cluster
  private readonly lasting = new Map<unknown, () => Promise<void> | void>()
  private readonly underWay = new Set<Promise<void>>()
  private readonly ending = new AbortController()
  private readonly onOutcome: (outcome: Outcome) => void

  constructor(cluster: Cluster, onOutcome: (outcome: Outcome) => void = () => {}) {
    this.cluster = cluster
    this.onOutcome = onOutcome
  }

  /** Begins it; a lasting one takes itself back later. */
  async begin(fault: PlannedFault): Promise<void> {
    const at = Date.now()
    let outcome: Outcome
    try {
      const said = await this.carryOut(fault)
      outcome = said.startsWith('no ') ? { fault, at, skipped: said } : { fault, at, done: said }
    } catch (error) {
      outcome = { fault, at, skipped: `no luck: ${(error as Error).message}` }
    }
    this.outcomes.push(outcome)
    this.onOutcome(outcome)
  }

  /** Everything that lasts is taken back at once. */
  async healAll(): Promise<void> {
    this.ending.abort()
    for (const heal of this.lasting.values()) await heal()
    this.lasting.clear()
    await Promise.all(this.underWay)
  }

  private async carryOut(fault: PlannedFault): Promise<string> {
    const { kind, target, lasts_ms, shift_ms } = fault
    switch (kind) {
      case 'kill_api':
      case 'kill_worker': {
        const member = this.pick(target, kind === 'kill_api' ? 'api' : 'worker')
        member.kill()
        return member.name
      }
      case 'kill_database': {
        const node = this.node(target)
        process.kill(node.pid(), 'SIGKILL')
        return node.name
      }
      case 'kill_backend':
        return this.killBackend(target)
      case 'end_backend':
        return this.endBackend(target)
      case 'freeze_api':
      case 'freeze_worker':
        return this.freeze(this.pick(target, kind === 'freeze_api' ? 'api' : 'worker'), lasts_ms)
      case 'fill_disk':
        return this.fillDisk(this.node(target), lasts_ms)
      case 'shift_clock':
        return this.shiftClock(this.pick(target), shift_ms, lasts_ms)
      case 'disturb_wire':
        return this.disturb(fault)
      case 'rolling_restart':
        return this.restartAll()
    }
  }

  private pick(share: number, role?: Role): Member {
    return oneOf(
      this.cluster.members.filter(member => role === undefined || member.role === role),
      share,
    )
  }

  private node(share: number): DatabaseNode {
    return oneOf(this.cluster.nodes, share)
  }

  private freeze(member: Member, lastsMs: number): string {
    if (this.lasting.has(member.freeze)) return `no, ${member.name} is frozen already`
    member.freeze()
    this.takeBack(member.freeze, lastsMs, () => member.thaw())
    return `${member.name} for ${lastsMs} ms`
  }

  private shiftClock(member: Member, shiftMs: number, lastsMs: number): string {
    member.shiftClock(shiftMs)
    this.takeBack(member.shiftClock, lastsMs, () => member.shiftClock(0))
    return `${member.name} by ${shiftMs} ms for ${lastsMs} ms`
  }

  private async fillDisk({ name, disk }: DatabaseNode, lastsMs: number): Promise<string> {
    if (typeof disk === 'string') return `no small disk: ${disk}`
    if (this.lasting.has(disk)) return `no, the disk of ${name} is full already`
    this.takeBack(disk, lastsMs, () => disk.clear())
    await disk.fill()
    return `disk of ${name} for ${lastsMs} ms`
  }

  private disturb({ wire: name, target, manner, lasts_ms }: PlannedFault): string {
    const [wire, shown] = this.wire(name, target)
    if (typeof wire === 'string') return `no ${name}: ${wire}`
    wire.disturb(manner)
    if (manner !== 'reset') this.takeBack(wire, lasts_ms, () => wire.heal())
    return `${shown} ${manner}${manner === 'reset' ? '' : ` for ${lasts_ms} ms`}`
  }

  private wire(name: PlannedFault['wire'], share: number): [Wire | string, string] {
    const { shop, providers } = this.cluster
    if (name === 'chain') return [typeof shop === 'string' ? shop : shop.wire, name]
    if (name !== 'database' && name !== 'api') return [providers.wires[name], name]
    const member = this.pick(share, name === 'api' ? 'api' : undefined)
    return [member.wires[name], name === 'api' ? member.name : `database of ${member.name}`]
  }

  private async killBackend(share: number): Promise<string> {
    const pids = await this.backends()
    if (pids.length === 0) return 'no backend to kill'
    const pid = oneOf(pids, share)
    process.kill(pid, 'SIGKILL')
    return `backend ${pid} of ${pids.length}`
  }

  private async endBackend(share: number): Promise<string> {
    const pids = await this.backends()
    if (pids.length === 0) return 'no backend to end'
    const pid = oneOf(pids, share)
    await this.cluster.query('select pg_terminate_backend($1)', [pid])
    return `backend ${pid} of ${pids.length}`
  }

  private async backends(): Promise<number[]> {
    for (let tries = 1; ; tries++) {
      try {
        const rows = await this.cluster.query<{ pid: number }>(
          `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`,
        )
        return rows.map(({ pid }) => pid)
      } catch (error) {
        // Another fault has just taken the database away.
        if (tries >= QUERY_TRIES) throw error
        await sleep(QUERY_PAUSE_MS)
      }
    }
  }

  /** One after the other, as a deployment does; the plan does not wait for it. */
  private restartAll(): string {
    if (this.lasting.has('restart')) return 'no, a rolling restart is under way'
    this.lasting.set('restart', () => {})
    this.follow(
      (async () => {
        for (const member of this.cluster.members) {
          const end = await member.restart()
          if (end !== '0') this.unclean.push(`${member.name}: ${end}`)
        }
        this.lasting.delete('restart')
      })(),
    )
    return 'all processes'
  }

  private takeBack(what: unknown, afterMs: number, heal: () => Promise<void> | void): void {
    this.lasting.set(what, heal)
    const waiting = sleep(afterMs, undefined, { signal: this.ending.signal }).then(
      async () => {
        // A later fault of the same kind has its own end.
        if (this.lasting.get(what) !== heal) return
        this.lasting.delete(what)
        await heal()
      },
      () => {},
    )
    this.follow(waiting)
  }

  private follow(work: Promise<void>): void {
    const followed: Promise<void> = work.finally(() => this.underWay.delete(followed))
    followed.catch(() => {})
    this.underWay.add(followed)
  }
}
