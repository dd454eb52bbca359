import { Problem } from '#platform/problem.ts'

const IN_HAND_BYTES_MAX = 256 * 1024 * 1024
const TEAM_BYTES_MAX = 100 * 1024 * 1024
const RETRY_AFTER_S = 5

export type InHand = { add(bytes: number): void; letGo(): void }

/** Bytes of uploads that the process has in memory, for all teams and for each: more would take it down. */
export function holdingBytes({ inAllMax, teamMax }: { inAllMax: number; teamMax: number }) {
  const ofTeams = new Map<string, number>()
  let inAll = 0

  function change(team: string, bytes: number): void {
    inAll += bytes
    const left = (ofTeams.get(team) ?? 0) + bytes
    if (left === 0) ofTeams.delete(team)
    else ofTeams.set(team, left)
  }

  /** What is added for a file counts until it is let go. */
  return function take(team: string): InHand {
    let held = 0
    return {
      add(bytes) {
        if (inAll + bytes > inAllMax || (ofTeams.get(team) ?? 0) + bytes > teamMax)
          throw new Problem('too_many_requests', 'Too many uploads at once. Send them one at a time.', {
            code: 'too_many_at_once',
            headers: { 'retry-after': String(RETRY_AFTER_S) },
          })
        held += bytes
        change(team, bytes)
      },
      letGo() {
        if (held > 0) change(team, -held)
        held = 0
      },
    }
  }
}

/** Of this process. */
export const takeInHand = holdingBytes({ inAllMax: IN_HAND_BYTES_MAX, teamMax: TEAM_BYTES_MAX })
