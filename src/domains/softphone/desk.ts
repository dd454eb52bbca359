import { setTimeout as rest } from 'node:timers/promises'
import { systemContext, type Runtime } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import {
  VoiceRefused,
  VoiceUnavailable,
  VoiceUncertain,
  type VoiceChannel,
  type VoiceEnd,
  type VoiceListener,
} from '#platform/ports/voice.ts'
import { nameProvider } from '#domains/calls/service.ts'
import type { OwnEvent } from '#domains/webhooks/intake.ts'
import * as limits from './limits.ts'
import { joined, noNews, type News } from './news.ts'
import * as store from './store.ts'
import type { AttendedRow, Command, Held } from './store.ts'
import { callToken } from './tokens.ts'
import type { ToolWatch } from './tool-watch.ts'

/** What a call needs from its attendant. */
export type Desk = {
  runtime: Runtime
  owner: string
  tools: ToolWatch
  /** There is something to save; `urgent`: someone is waiting for it. */
  told(call: Attended, urgent: boolean): void
  /** Another process owns it by now. */
  lost(call: Attended): void
}

type Tool = { ref: string; name: string; arguments: Record<string, unknown> }

/**
 * One call handled by this process, from its saved state: it is dialled and listened to, and its events are
 * collected for saving.
 */
export class Attended {
  readonly held: Held
  readonly team_id: string
  /** End of our lease, as far as we know. */
  leaseUntilMs: number
  /** What is in progress: dialling, opening. */
  running: Promise<void> = Promise.resolve()
  private readonly row: AttendedRow
  private readonly desk: Desk
  private readonly gone = new AbortController()
  private news = noNews()
  private channel: VoiceChannel | undefined
  /** Counts the channels: events of an old one are ignored. */
  private opened = 0
  private falls = 0
  private stopped: string | undefined
  private over = false

  constructor(row: AttendedRow, desk: Desk, leaseUntilMs: number) {
    this.row = row
    this.desk = desk
    this.leaseUntilMs = leaseUntilMs
    this.held = { call_id: row.call_id, fence: row.fence }
    this.team_id = row.team_id
  }

  begin(): void {
    this.run(async () => {
      if (this.row.provider_call_id !== null || (await this.dial())) await this.open()
    })
  }

  takeNews(): News {
    const { news } = this
    this.news = noNews()
    return news
  }

  /** Saving failed: these events go before newer ones. */
  putBack(news: News): void {
    this.news = joined(news, this.news)
  }

  /** Releases the call as it is, for another process. */
  leave(): void {
    if (this.gone.signal.aborted) return
    this.gone.abort()
    this.opened++
    this.channel?.leave()
    this.channel = undefined
  }

  /** Whether it was done; what cannot be done yet is tried again. */
  async obey({ kind, text }: Command): Promise<boolean> {
    if (this.over || !this.mayAct()) return false
    if (kind === 'stop') {
      this.stop(text ?? 'Stopped.')
      // Deleted when the call ends: a process that takes over before that stops it as well.
      return false
    }
    if (!this.channel) return false
    await this.channel.prompt(text ?? '')
    return true
  }

  private get port() {
    return this.desk.runtime.ports.voice
  }

  private now(): string {
    return isoAt(this.desk.runtime.clock.now())
  }

  /** A process that was frozen notices on its own that its lease is over. */
  private mayAct(): boolean {
    return !this.gone.signal.aborted && this.desk.runtime.clock.now() < this.leaseUntilMs
  }

  private run(work: () => Promise<void>): void {
    this.running = work().catch(error => {
      if (this.gone.signal.aborted) return
      this.desk.runtime.log.error({ err: error, call: this.held.call_id }, 'handling a call failed')
      this.finish({
        status: this.row.connected_at ? 'ENDED' : 'FAILED',
        reason: 'The call could not be continued.',
      })
    })
  }

  /** Whether there is a call now. Dialling is recorded before it happens, so no one is called twice. */
  private async dial(): Promise<boolean> {
    const { row } = this
    const nowMs = () => this.desk.runtime.clock.now()
    if (row.dialling_at !== null) {
      const leftMs = Date.parse(row.dialling_at) + limits.DIAL_UNKNOWN_MS - nowMs()
      return this.failAfter(leftMs, 'The process stopped while dialling. It is not redialled automatically.')
    }
    for (let tries = row.dial_tries; ; tries++) {
      if (nowMs() > Date.parse(row.created_at) + limits.DIAL_WITHIN_MS)
        return this.fail('The call could not be dialled in time.')
      if (!(await this.note({ dialling_at: this.now() }))) return this.giveUp()
      try {
        const { provider_call_id } = await this.port.dial({
          call_id: row.call_id,
          token: callToken(this.desk.runtime.settings, row),
          from: row.brief.from,
          to: row.number ?? '',
          session: row.brief.session,
        })
        return await this.noteDialled(provider_call_id)
      } catch (error) {
        if (error instanceof VoiceUncertain) return this.failAfter(limits.DIAL_UNKNOWN_MS, error.message)
        const waitMs = error instanceof VoiceUnavailable ? limits.DIAL_RETRY_MS[tries] : undefined
        if (waitMs === undefined) return this.fail(wordsOf(error))
        if (!(await this.note({ dialling_at: null, dial_tries: tries + 1 }))) return this.giveUp()
        await this.pause(waitMs)
      }
    }
  }

  private async noteDialled(provider_call_id: string): Promise<boolean> {
    const { row, desk, held } = this
    const noted = await systemContext(desk.runtime, row.team_id).transaction(async ctx => {
      if (!(await store.noteDialling(ctx, desk.owner, held, { provider_call_id }))) return false
      await nameProvider(ctx, row.call_id, this.port.kind, provider_call_id)
      return true
    })
    if (noted) {
      row.provider_call_id = provider_call_id
      return true
    }
    await this.port.hangUp(provider_call_id).catch(() => {})
    return this.giveUp()
  }

  private async note(fields: Parameters<typeof store.noteDialling>[3]): Promise<boolean> {
    const ctx = systemContext(this.desk.runtime, this.team_id)
    return store.noteDialling(ctx, this.desk.owner, this.held, fields)
  }

  /**
   * It is unknown whether the call was placed: if it was, it comes back to us and is started again under its
   * other name.
   */
  private async failAfter(ms: number, reason: string): Promise<false> {
    await this.pause(ms)
    return this.fail(reason)
  }

  private fail(reason: string): false {
    this.finish({ status: 'FAILED', reason })
    return false
  }

  private giveUp(): false {
    this.desk.lost(this)
    return false
  }

  private async open(): Promise<void> {
    const { row } = this
    for (let tries = 0; !this.over; tries++) {
      if (this.stopped !== undefined) return this.hangUp()
      this.gone.signal.throwIfAborted()
      const number = ++this.opened
      try {
        const channel = await this.port.open(
          {
            call_id: row.call_id,
            provider_call_id: row.provider_call_id!,
            session: row.brief.session,
            about: row.brief.about,
            resume: row.resume,
          },
          this.listener(number),
        )
        if (number !== this.opened || this.gone.signal.aborted) return channel.leave()
        this.channel = channel
        if (this.stopped !== undefined) this.hangUp()
        return
      } catch (error) {
        const waitMs = error instanceof VoiceRefused ? undefined : limits.OPEN_RETRY_MS[tries]
        if (waitMs === undefined)
          return this.finish({ status: row.connected_at ? 'ENDED' : 'FAILED', reason: wordsOf(error) })
        await this.pause(waitMs)
      }
    }
  }

  private listener(number: number): VoiceListener {
    const heard =
      <Args extends unknown[]>(hear: (...args: Args) => void) =>
      (...args: Args) => {
        if (number === this.opened && !this.over && !this.gone.signal.aborted) hear(...args)
      }
    return {
      connected: heard(() => {
        if (this.row.connected_at !== null) return
        this.row.connected_at = this.news.connected_at = this.now()
        this.tell({ name: 'connected', type: 'call_connected', data: {} })
      }),
      line: heard(({ ref, speaker, text }) => {
        const { call_id } = this.held
        if (this.news.lines.length < limits.NEWS_MAX)
          this.news.lines.push({
            call_id,
            ref,
            speaker,
            text: text.slice(0, limits.TEXT_LENGTH_MAX),
            at: this.now(),
          })
        this.desk.told(this, false)
      }),
      tool: heard(tool => {
        const data = { tool: tool.name, arguments: tool.arguments, toolCallId: tool.ref }
        this.tell({ name: `tool:${tool.ref}`, type: 'tool_call', data })
        void this.use(tool).catch(error =>
          this.desk.runtime.log.warn({ err: error, call: this.held.call_id }, 'a tool was not answered'),
        )
      }),
      response: heard(({ id, ...response }) => {
        const { call_id } = this.held
        const { agent_id } = this.row.brief
        if (this.news.responses.length < limits.NEWS_MAX)
          this.news.responses.push({ response_id: id, agent_id, call_id, ...response, at: this.now() })
        this.desk.told(this, false)
      }),
      progress: heard(resume => {
        this.row.resume = this.news.resume = resume
        this.desk.told(this, false)
      }),
      ended: heard(end => this.finish(end)),
      lost: heard(reason => this.fell(reason)),
    }
  }

  /** The channel dropped, and the call may continue: it is reopened. */
  private fell(reason: string): void {
    this.channel = undefined
    this.opened++
    if (++this.falls > limits.FALLS_MAX)
      return this.finish({ status: this.row.connected_at ? 'ENDED' : 'FAILED', reason })
    this.run(async () => {
      await this.pause(limits.OPEN_RETRY_MS[0])
      await this.open()
    })
  }

  private async use({ ref, name }: Tool): Promise<void> {
    const { team_id } = this
    const asked = { team_id, call_id: this.held.call_id, ref }
    const result = await this.desk.tools.await(asked, limits.TOOL_TIMEOUT_MS)
    if (this.over || !this.mayAct()) return
    await this.channel?.answerTool(ref, result?.text ?? 'No result yet. Continue without it.')
    if (!result?.ok) return
    if (name === 'end_call') await this.channel?.hangUp()
    if (name === 'transfer') await this.handOver()
  }

  private async handOver(): Promise<void> {
    const { brief, provider_call_id } = this.row
    if (!brief.transfer_to) return
    try {
      await this.port.refer(provider_call_id!, `tel:${brief.transfer_to}`)
    } catch (error) {
      this.desk.runtime.log.warn({ err: error, call: this.held.call_id }, 'transferring a call failed')
      await this.channel?.prompt('The transfer failed. Tell the person and continue the call yourself.')
    }
  }

  private stop(reason: string): void {
    if (this.stopped !== undefined) return
    this.stopped = reason
    if (this.row.provider_call_id !== null) this.hangUp()
  }

  /** The provider reports the end and the duration itself; one that does not is not waited for. */
  private hangUp(): void {
    const hung = this.channel ? this.channel.hangUp() : this.port.hangUp(this.row.provider_call_id!)
    const isHeard = this.channel !== undefined
    void hung
      .catch(error =>
        this.desk.runtime.log.warn({ err: error, call: this.held.call_id }, 'hanging up failed'),
      )
      .then(() => (isHeard ? this.pause(limits.HANG_UP_MS) : undefined))
      .then(() => this.finish({ status: 'ENDED', reason: this.stopped ?? 'Stopped.' }))
      .catch(() => {})
  }

  private finish({ status, reason, duration_sec, recording_url }: VoiceEnd): void {
    if (this.over || this.gone.signal.aborted) return
    this.over = true
    this.channel?.leave()
    this.channel = undefined
    const { connected_at } = this.row
    const measured = connected_at === null ? 0 : (Date.parse(this.now()) - Date.parse(connected_at)) / 1000
    if (this.stopped !== undefined && connected_at === null) this.news.cancelled = this.stopped
    else
      this.tell({
        name: 'ended',
        type: 'call_ended',
        data: {
          status,
          durationSec: duration_sec ?? Math.round(measured),
          reason: this.stopped ?? reason,
          ...(recording_url !== undefined && { recordingUrl: recording_url }),
        },
      })
    this.news.over = true
    this.desk.told(this, true)
  }

  /**
   * In the form of a provider's event. Its ID is derived from the call's, so it is the same whichever process
   * sends it.
   */
  private tell({ name, type, data }: Pick<OwnEvent, 'type' | 'data'> & { name: string }): void {
    const { call_id, lead_id, brief } = this.row
    const { agent_id, direction, from, to } = brief
    this.news.events.push({
      eventId: `rapport:${call_id}:${name}`.slice(0, 255),
      type,
      data: {
        callId: call_id,
        ...(lead_id !== null && { leadId: lead_id }),
        ...(agent_id !== null && { agentId: agent_id }),
        direction,
        from,
        to,
        ...data,
      },
    })
    this.desk.told(this, true)
  }

  private async pause(ms: number): Promise<void> {
    await rest(Math.max(0, ms), undefined, { signal: this.gone.signal })
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof VoiceRefused || error instanceof VoiceUnavailable) return error.message
  return 'The voice provider is not available right now.'
}
