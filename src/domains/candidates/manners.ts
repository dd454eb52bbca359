import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { Manners } from '#platform/ports/crawler.ts'

/** Nobody's turn is that far away. A later one was noted before a clock was set back, and is not waited for. */
export const TURN_AHEAD_MAX_MS = 600_000

/** One memory for all who crawl, in whatever process: a host cannot tell them apart either. */
export function mannersOf(ctx: Context): Manners {
  return {
    async findRobots(host) {
      const found = await ctx.first(
        raw<{ robots: string }>(sql`select robots from crawl_hosts
          where host = ${host} and robots is not null and robots_until > ${ctx.now()}`),
      )
      return found?.robots
    },

    async keepRobots(host, text, freshForMs) {
      // A database keeps no NUL, and no rule has one.
      const robots = text.replaceAll('\u0000', '\ufffd').toWellFormed()
      await ctx.run(
        raw(sql`insert into crawl_hosts (host, robots, robots_until) values (${host}, ${robots}, ${ctx.in(freshForMs)})
          on conflict (host) do update set robots = excluded.robots, robots_until = excluded.robots_until`),
      )
    },

    async takeTurn(host, pauseMs) {
      const [now, pause] = [ctx.now(), sql`${Math.ceil(pauseMs)} * interval '1 ms'`]
      const latest = ctx.in(TURN_AHEAD_MAX_MS)
      const turn = await ctx.first(
        raw<{ at: string }>(sql`insert into crawl_hosts as known (host, free_at)
          values (${host}, ${now}::timestamptz + ${pause})
          on conflict (host) do update set free_at = ${pause} + case
            when known.free_at between ${now}::timestamptz and ${latest}::timestamptz then known.free_at
            else ${now}::timestamptz end
          returning free_at - ${pause} as at`),
      )
      return Math.max(0, Date.parse(turn!.at) - Date.parse(now))
    },
  }
}

/** What nobody needs to know any more: its rules are old, and its turn is over. */
export async function forgetHosts(ctx: Context): Promise<number> {
  const now = ctx.now()
  return ctx.run(
    raw(sql`delete from crawl_hosts where (robots_until is null or robots_until <= ${now})
      and (free_at is null or free_at <= ${now} or free_at > ${ctx.in(TURN_AHEAD_MAX_MS)})`),
  )
}
