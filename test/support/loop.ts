const TICK_MS = 5

/**
 * How long this thread computes at a stretch while others wait, in milliseconds. It is counted by what the processor did
 * for it, so that a machine that is busy with something else blames nobody.
 */
export function watchLoop(): { worst(): number; stop(): void } {
  let worst = 0
  let before = cpuMs()
  const count = () => {
    const now = cpuMs()
    worst = Math.max(worst, now - before)
    before = now
  }
  const timer = setInterval(count, TICK_MS)
  return {
    worst() {
      count()
      return worst
    },
    stop: () => clearInterval(timer),
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
